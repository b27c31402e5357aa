"""Patches in the form that names files and gives no line numbers.

*** Begin Patch
*** Update File: src/main.py
@@ def greet():
-    print("hi")
+    print("hello")
*** Add File: notes.txt
+One line.
*** Delete File: old.txt
*** End Patch
"""

import re
from collections.abc import Sequence
from typing import Final, cast

from hackamore.core.codes import Code
from hackamore.core.edit import FilePatch, Hunk
from hackamore.core.errors import EditError
from hackamore.edits.patch_lines import Kind, patch_lines, split_body_line

_BEGIN: Final = "*** Begin Patch"
_END: Final = "*** End Patch"
_END_OF_FILE: Final = "*** End of File"
_MOVE: Final = "*** Move to: "
_FILE: Final = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_ACTIONS: Final = {"Add": "add", "Update": "update", "Delete": "delete"}


def is_one(patch: str) -> bool:
    """Return whether `patch` is meant to be in this form."""
    return _BEGIN in patch or _FILE.search(patch) is not None


def parse(patch: str) -> tuple[FilePatch, ...]:
    """Return what a patch does, file by file.

    Raises:
        EditError: A line stands where it says nothing.
    """
    lines = [line for line in patch_lines(patch) if line.rstrip() not in (_BEGIN, _END)]
    starts = [at for at, line in enumerate(lines) if _FILE.fullmatch(line.rstrip())]
    before = lines[: starts[0]] if starts else lines
    if not starts or any(line.strip() for line in before):
        raise _malformed("it does not begin with '*** Add File: ', 'Update File: ' or 'Delete'")
    ends = [*starts[1:], len(lines)]
    return tuple(_file(lines[start:end]) for start, end in zip(starts, ends, strict=True))


def _file(lines: Sequence[str]) -> FilePatch:
    found = _FILE.fullmatch(lines[0].rstrip())
    assert found is not None  # noqa: S101  # parse cut the lines at such a line
    kind, path = _ACTIONS[found.group(1)], found.group(2).strip()
    body = [*lines[1:]]
    if kind == "delete":
        if any(line.strip() for line in body):
            raise _malformed(f"lines follow the deletion of {path}")
        return FilePatch("delete", path)
    if kind == "add":
        return FilePatch("add", path, hunks=(_added(path, body),))
    moved_to = body.pop(0)[len(_MOVE) :].strip() if body and body[0].startswith(_MOVE) else None
    hunks = _hunks(path, body)
    if not hunks and moved_to is None:
        raise _malformed(f"the update of {path} changes nothing")
    return FilePatch("update", path, moved_to, hunks)


def _added(path: str, body: Sequence[str]) -> Hunk:
    content = [line for line in body if line.rstrip() != _END_OF_FILE]
    while content and not content[-1]:
        content.pop()
    if wrong := next((line for line in content if not line.startswith("+")), None):
        raise _malformed(f"in the new file {path} a line does not begin with '+': {wrong!r}")
    return Hunk(tuple(("+", line[1:]) for line in content), final_newline=True)


def _hunks(path: str, body: Sequence[str]) -> tuple[Hunk, ...]:
    hunks: list[Hunk] = []
    header, lines, at_end = "", list[tuple[Kind, str]](), False

    def close() -> None:
        if lines:
            hunks.append(Hunk(tuple(lines), header=header, at_end=at_end))

    for line in _without_blank_end(body):
        if line.startswith("@@"):
            close()
            header, lines, at_end = line[2:].strip().removesuffix("@@").strip(), [], False
        elif line.rstrip() == _END_OF_FILE:
            at_end = True
        else:
            lines.append(split_body_line(line, lambda why: _malformed(f"{why} (in {path})")))
    close()
    return tuple(hunks)


def _without_blank_end(body: Sequence[str]) -> Sequence[str]:
    end = len(body)
    while end and not body[end - 1]:
        end -= 1
    return body[:end]


def _malformed(why: str) -> EditError:
    return EditError(
        f"The patch is malformed: {why}. Nothing was changed.",
        hint=cast(str, __doc__).split("\n\n", 1)[1].strip(),
        code=Code.INVALID_REQUEST,
    )
