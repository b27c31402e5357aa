r"""A workspace and a sandbox in memory: files are a dict, commands follow a script.

workspace = FakeWorkspace({"a.py": "print(1)\\n"})
sandbox = FakeSandbox({"pytest -q": ScriptedResult("1 passed\\n")})
"""

import fnmatch
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError
from hackamore.core.workspace import (
    Command,
    CommandResult,
    Entry,
    FileData,
    Listing,
    Match,
    Matches,
    OnOutput,
    SandboxLevel,
)

_ROOT = "/workspace"


class FakeWorkspace:
    """Files in memory, with the refusals of the real one.

    Attributes:
        files: Path to bytes, as they are now; tests may change them as somebody else would.
        hidden: Paths that are refused.
    """

    def __init__(
        self, files: Mapping[str, str | bytes] | None = None, *, hidden: tuple[str, ...] = ()
    ) -> None:
        self.files = {
            path: text.encode() if isinstance(text, str) else text
            for path, text in (files or {}).items()
        }
        self.hidden = hidden

    @property
    def root(self) -> str:
        """Where it pretends to be."""
        return _ROOT

    def text(self, path: str) -> str:
        """Return a file's content as text, for asserting."""
        return self.files[path].decode()

    async def read(self, path: str, *, max_bytes: int = 8 * 1024 * 1024) -> FileData:
        """Read a file; see `Workspace.read`."""
        name = self._resolved(path)
        if name not in self.files:
            raise self._missing(name)
        data = self.files[name]
        if len(data) > max_bytes:
            raise WorkspaceError(f"{path} is too large.", code=Code.FILE_TOO_LARGE)
        return FileData(name, data, 0o644, len(data))

    async def write(self, path: str, data: bytes, *, expected: bytes | None) -> None:
        """Write a file; see `Workspace.write`."""
        name = self._resolved(path)
        if self._is_folder(name):
            raise self._missing(name)
        self._compare(name, expected)
        self.files[name] = data

    async def remove(self, path: str, *, expected: bytes) -> None:
        """Remove a file; see `Workspace.remove`."""
        name = self._resolved(path)
        if name not in self.files:
            raise self._missing(name)
        self._compare(name, expected)
        del self.files[name]

    async def list(self, path: str, *, recursive: bool, limit: int = 1000) -> Listing:
        """List a folder; see `Workspace.list`."""
        folder = self._resolved(path)
        if folder != "." and not self._is_folder(folder):
            raise WorkspaceError(f"{path} is not a folder.", code=Code.NOT_FOUND)
        start = "" if folder == "." else f"{folder}/"
        found: dict[str, Entry] = {}
        for name, data in self.files.items():
            if name.startswith(start) and name not in self.hidden:
                for entry in _entries(name, start, len(data)):
                    found[entry.path] = entry
        depth = start.count("/")
        paths = sorted(p for p in found if recursive or p.count("/") == depth)
        return Listing(tuple(found[p] for p in paths[:limit]), len(paths) > limit)

    async def search(
        self, path: str, pattern: str, *, glob: str | None, limit: int = 200, context: int = 1
    ) -> Matches:
        """Search files; see `Workspace.search`."""
        try:
            regex = re.compile(pattern)
        except re.error as error:
            raise WorkspaceError(f"Bad pattern: {error}.", code=Code.INVALID_REQUEST) from error
        start = self._resolved(path)
        names = sorted(n for n in self.files if n not in self.hidden and _below(n, start))
        names = [n for n in names if glob is None or fnmatch.fnmatch(n.rpartition("/")[2], glob)]
        found = [m for n in names for m in _matches(n, self.files[n], regex, context)]
        return Matches(tuple(found[:limit]), len(found) > limit, len(names))

    def _resolved(self, path: str) -> str:
        if not path or "\0" in path:
            raise WorkspaceError("The path is empty.", code=Code.INVALID_REQUEST)
        inside = posixpath.relpath(posixpath.join(_ROOT, path), _ROOT)
        if inside == ".." or inside.startswith("../"):
            raise WorkspaceError(f"{path} is outside the workspace.", code=Code.PATH_OUTSIDE)
        if inside in self.hidden:
            raise WorkspaceError(f"{path} is hidden.", code=Code.PERMISSION_DENIED)
        return inside

    def _is_folder(self, name: str) -> bool:
        return name == "." or any(other.startswith(f"{name}/") for other in self.files)

    def _missing(self, name: str) -> WorkspaceError:
        if self._is_folder(name):
            return WorkspaceError(f"{name} is a folder.", code=Code.NOT_A_FILE)
        return WorkspaceError(f"{name} does not exist.", code=Code.NOT_FOUND)

    def _compare(self, name: str, expected: bytes | None) -> None:
        if self.files.get(name) != expected:
            raise WorkspaceError(f"{name} changed since it was read.", code=Code.STALE_SNAPSHOT)


@dataclass(frozen=True, slots=True)
class ScriptedResult:
    """What a command says and how it ends; `exit_code` None means that it timed out."""

    output: str | bytes = ""
    exit_code: int | None = 0


class FakeSandbox:
    """Commands that follow a script.

    Attributes:
        commands: What was run, in order.
    """

    def __init__(
        self,
        results: Mapping[str, ScriptedResult] | Callable[[Command], ScriptedResult] | None = None,
        *,
        level: SandboxLevel = "full",
    ) -> None:
        """Take the results by command line, or a function that gives them.

        A command line that the script does not know is not found: exit code 127.
        """
        self.commands: list[Command] = []
        self._results = results or {}
        self._level: SandboxLevel = level

    @property
    def level(self) -> SandboxLevel:
        """The level that it pretends to have."""
        return self._level

    async def execute(self, command: Command, on_output: OnOutput | None = None) -> CommandResult:
        """Return the scripted result; see `Sandbox.execute`."""
        self.commands.append(command)
        result = self._scripted(command)
        output = result.output
        data = output.encode() if isinstance(output, str) else output
        if data and on_output is not None:
            on_output(data)
        half = command.max_output // 2
        cut = max(0, len(data) - 2 * half)
        kept = data[:half] + data[half + cut :]
        return CommandResult(result.exit_code, kept, cut, result.exit_code is None, 0.0)

    def _scripted(self, command: Command) -> ScriptedResult:
        if callable(self._results):
            return self._results(command)
        unknown = ScriptedResult(f"{command.line}: command not found\n", 127)
        return self._results.get(command.line, unknown)


def _entries(name: str, start: str, size: int) -> list[Entry]:
    """Return the file's entry and those of the folders between it and `start`."""
    parts = name.removeprefix(start).split("/")
    folders = [start + "/".join(parts[:depth]) for depth in range(1, len(parts))]
    return [*(Entry(folder, "folder", 0) for folder in folders), Entry(name, "file", size)]


def _below(name: str, start: str) -> bool:
    return start in (".", name) or name.startswith(f"{start}/")


def _matches(name: str, data: bytes, regex: re.Pattern[str], context: int) -> list[Match]:
    lines = data.decode("utf-8", "replace").splitlines()
    return [
        Match(
            name,
            index + 1,
            line,
            tuple(lines[max(0, index - context) : index]),
            tuple(lines[index + 1 : index + 1 + context]),
        )
        for index, line in enumerate(lines)
        if regex.search(line)
    ]
