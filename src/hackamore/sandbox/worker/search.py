"""Searching the files of a walk: with ripgrep where there is one, else line by line."""

import base64
import contextlib
import json
import os
import re
import selectors
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

from hackamore.core.codes import Code
from hackamore.core.protected import PathMatcher, may_hold_token
from hackamore.sandbox.worker.paths import Root
from hackamore.sandbox.worker.refusal import Refusal
from hackamore.sandbox.worker.tree import OutOfTime, walk

_MAX_FILE_BYTES: Final = 8 * 1024 * 1024
_MAX_LINE: Final = 500
_BATCH_FILES: Final = 1000
_BATCH_BYTES: Final = 100_000
_CHUNK: Final = 256 * 1024
_SNIFFED: Final = 8192
_RIPGREP_FAILED: Final = 2


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for, where, and how much is wanted. `deadline` is monotonic seconds."""

    path: str
    pattern: str
    glob: str | None
    limit: int
    context: int
    deadline: float


@dataclass(slots=True)
class Hit:
    """A matching line and the lines around it."""

    path: str
    line: int
    text: str
    before: list[str] = field(default_factory=list[str])
    after: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Hits:
    """What was found so far."""

    hits: list[Hit] = field(default_factory=list[Hit])
    truncated: bool = False
    files: int = 0


def search(root: Root, query: Query) -> Hits:
    """Search; partial and marked so when time or the limit runs out.

    Raises:
        Refusal: The pattern is no regular expression, or the path may not be searched.
    """
    found = Hits()
    program = _ripgrep(os.environ.get("PATH", ""))
    run = _Lines(root, query) if program is None else _Ripgrep(program, root, query)
    with contextlib.suppress(OutOfTime):
        for batch in _batches(_files(root, query)):
            found.files += len(batch)
            run.search(batch, found)
            found.hits.sort(key=lambda hit: (hit.path, hit.line))
            if len(found.hits) > query.limit:
                break
        else:
            return found
    found.truncated = True
    del found.hits[query.limit :]
    return found


def _files(root: Root, query: Query) -> Iterator[str]:
    """Yield the files to look into; `query.path` may also name one."""
    glob = None if query.glob is None else PathMatcher([query.glob])
    try:
        for found in walk(root, query.path, recursive=True, deadline=query.deadline):
            wanted = found.kind == "file" and found.size <= _MAX_FILE_BYTES
            wanted = wanted and not may_hold_token(found.path)
            if wanted and (glob is None or glob.matches(found.path, folder=False)):
                yield found.path
    except Refusal as error:
        if error.code is not Code.NOT_FOUND:
            raise
        with root.open_file(query.path) as (_, resolved):
            if not may_hold_token(resolved):
                yield resolved


def _batches(paths: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for path in paths:
        batch.append(path)
        size += len(path)
        if len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Lines:
    """The search of the standard library."""

    def __init__(self, root: Root, query: Query) -> None:
        self._root = root
        self._query = query
        try:
            self._pattern = re.compile(query.pattern)
        except re.error as error:
            raise _bad_pattern(str(error)) from error

    def search(self, paths: list[str], found: Hits) -> None:
        for path in paths:
            if len(found.hits) > self._query.limit:
                return
            if time.monotonic() > self._query.deadline:
                raise OutOfTime
            with contextlib.suppress(Refusal, OSError):
                self._search_file(path, found)

    def _search_file(self, path: str, found: Hits) -> None:
        with self._root.open_file(path) as (fd, resolved):
            data = os.read(fd, _MAX_FILE_BYTES)
        if b"\0" in data[:_SNIFFED]:
            return
        lines = [line.removesuffix("\r") for line in data.decode("utf-8", "replace").split("\n")]
        if lines and not lines[-1]:
            lines.pop()
        around = self._query.context
        for index, line in enumerate(lines):
            if self._pattern.search(line):
                before = [_cut(text) for text in lines[max(0, index - around) : index]]
                after = [_cut(text) for text in lines[index + 1 : index + 1 + around]]
                found.hits.append(Hit(resolved, index + 1, _cut(line), before, after))


class _Ripgrep:
    """The search by ``rg``, which is handed the files and so decides nothing itself."""

    def __init__(self, program: str, root: Root, query: Query) -> None:
        self._root = root
        self._query = query
        self._argv = [
            *(program, "--json", "--no-config", "--no-messages", "--no-ignore", "--hidden"),
            *("--context", str(query.context), "--max-count", str(query.limit + 1)),
            *("--regexp", query.pattern, "--"),
        ]

    def search(self, paths: list[str], found: Hits) -> None:
        argv = [*self._argv, *(f"./{path}" for path in paths)]
        reader = _RipgrepReader(found, self._query.context)
        for line in _output_lines(argv, self._root.fd, self._query.deadline):
            reader.take(line)
            if len(found.hits) > self._query.limit:
                return


class _RipgrepReader:
    """Puts ripgrep's messages together: matches with the lines before and after them."""

    def __init__(self, found: Hits, context: int) -> None:
        self._found = found
        self._context = context
        self._lines: dict[int, str] = {}
        self._matched: list[int] = []

    def take(self, line: bytes) -> None:
        """Take one message."""
        message = cast(dict[str, Any], json.loads(line))
        kind, data = message["type"], message["data"]
        if kind in ("match", "context"):
            number = int(data["line_number"])
            self._lines[number] = _cut(_text(data["lines"]).rstrip("\r\n"))
            if kind == "match":
                self._matched.append(number)
        elif kind == "end":
            if data.get("binary_offset") is None:
                path = _text(data["path"]).removeprefix("./")
                self._found.hits += [self._hit(path, number) for number in self._matched]
            self._lines, self._matched = {}, []

    def _hit(self, path: str, number: int) -> Hit:
        before = range(number - self._context, number)
        after = range(number + 1, number + 1 + self._context)
        return Hit(path, number, self._lines[number], self._known(before), self._known(after))

    def _known(self, numbers: range) -> list[str]:
        return [self._lines[number] for number in numbers if number in self._lines]


def _text(value: dict[str, str]) -> str:
    """Read ripgrep's text, which is base64 where it is not UTF-8."""
    if "text" in value:
        return value["text"]
    return base64.b64decode(value["bytes"]).decode("utf-8", "replace")


def _cut(line: str) -> str:
    return line if len(line) <= _MAX_LINE else f"{line[:_MAX_LINE]}…"


def _ripgrep(folders: str) -> str | None:
    for folder in folders.split(":"):
        program = f"{folder}/rg"
        if folder.startswith("/") and os.access(program, os.X_OK):
            return program
    return None


def _output_lines(argv: list[str], folder: int, deadline: float) -> Iterator[bytes]:
    """Run a program in `folder` and yield its lines; it is killed when the caller stops.

    Raises:
        OutOfTime: `deadline` passed.
        Refusal: ripgrep did not understand the pattern.
    """
    output, output_end = os.pipe()
    errors, errors_end = os.pipe()
    os.fchdir(folder)
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, output_end, 1),
        (os.POSIX_SPAWN_DUP2, errors_end, 2),
    ]
    pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
    os.close(output_end)
    os.close(errors_end)
    try:
        yield from _lines_until(output, deadline)
    except BaseException:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise
    else:
        _check_ended(pid, errors)
    finally:
        os.close(output)
        os.close(errors)


def _lines_until(descriptor: int, deadline: float) -> Iterator[bytes]:
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise OutOfTime
            data = os.read(descriptor, _CHUNK)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            yield from lines


def _check_ended(pid: int, errors: int) -> None:
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    words = os.read(errors, _CHUNK).decode("utf-8", "replace").strip()
    if status == _RIPGREP_FAILED and words:
        raise _bad_pattern(words)


def _bad_pattern(words: str) -> Refusal:
    return Refusal(Code.INVALID_REQUEST, f"The pattern is no regular expression: {words}")
