"""Unified diffs, as ``git diff`` and ``diff -u`` write them, and as models nearly do.

Line counts in hunk headers are often wrong, so they are not believed: a hunk ends where the next
one or the next file begins. Line numbers are a hint, and only where the lines fit several places.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

from hackamore.core.codes import Code
from hackamore.core.edit import FilePatch, Hunk
from hackamore.core.errors import EditError
from hackamore.edits.patch_lines import Kind, patch_lines, split_body_line

_HUNK: Final = re.compile(r"@@(?: -(\d+)(?:,\d+)?(?: \+\d+(?:,\d+)?)?.*| ?@@.*| ?\.\.\..*|\s*)$")
_RENAME: Final = re.compile(r"rename (from|to) (.+)")
_GIT: Final = re.compile(r"diff --git a/(.+) b/(.+)")
_NO_NEWLINE: Final = "\\ No newline at end of file"
_NOWHERE: Final = "/dev/null"


def parse(patch: str) -> tuple[FilePatch, ...]:
    """Return what a diff does, file by file.

    Raises:
        EditError: It is no unified diff, or one of binary files.
    """
    lines = patch_lines(patch)
    starts = [at for at in range(len(lines)) if _begins_file(lines, at)]
    if not starts:
        raise _malformed("there is no line '--- a/FILE' with a line '+++ b/FILE' below it")
    ends = [*starts[1:], len(lines)]
    return tuple(_file(lines[start:end]) for start, end in zip(starts, ends, strict=True))


def _begins_file(lines: Sequence[str], at: int) -> bool:
    """Whether a file's part begins here: at git's line, or without it at the two names."""
    if _GIT.fullmatch(lines[at]):
        return True
    return _is_names(lines, at) and not _below_git(lines, at)


def _is_names(lines: Sequence[str], at: int) -> bool:
    return (
        lines[at].startswith("--- ")
        and at + 1 < len(lines)
        and lines[at + 1].startswith("+++ ")
        and (at + 2 == len(lines) or lines[at + 2].startswith("@@") or not lines[at + 2].strip())
    )


def _below_git(lines: Sequence[str], at: int) -> bool:
    """Whether only git's extra lines stand between git's own line and this one."""
    while at > 0:
        at -= 1
        if _GIT.fullmatch(lines[at]):
            return True
        if lines[at][:1] in ("@", " ", "+", "-", ""):
            return False
    return False


def _file(lines: Sequence[str]) -> FilePatch:
    head = next((at for at, line in enumerate(lines) if line.startswith("@@")), len(lines))
    top, body = lines[:head], lines[head:]
    if any(line.startswith(("GIT binary patch", "Binary files ")) for line in top):
        raise _malformed("it changes a binary file")
    if any(line.startswith(("copy from ", "copy to ")) for line in top):
        raise _malformed("it copies a file; add the copy as a new file instead")
    old, new = _names(top)
    kind: Literal["add", "update", "delete"] = "update"
    if old == _NOWHERE or any(line.startswith("new file mode") for line in top):
        kind = "add"
    elif new == _NOWHERE or any(line.startswith("deleted file mode") for line in top):
        kind = "delete"
    path = new if kind == "add" else old
    moved_to = new if kind == "update" and new != old else None
    return FilePatch(kind, path, moved_to, () if kind == "delete" else _hunks(body))


def _names(top: Sequence[str]) -> tuple[str, str]:
    """Return the old and the new path."""
    renamed = {found.group(1): found.group(2) for line in top if (found := _RENAME.match(line))}
    if len(renamed) == len(("from", "to")):
        return renamed["from"], renamed["to"]
    for at, line in enumerate(top):
        if line.startswith("--- ") and at + 1 < len(top):
            return _path(line[4:], "a/"), _path(top[at + 1][4:], "b/")
    found = _GIT.fullmatch(top[0])
    if found is None:
        raise _malformed("a file has no name")
    return found.group(1), found.group(2)


def _path(text: str, prefix: str) -> str:
    name = text.split("\t", 1)[0].rstrip().strip('"')
    return name.removeprefix(prefix)


def _hunks(body: Sequence[str]) -> tuple[Hunk, ...]:
    starts = [at for at, line in enumerate(body) if _HUNK.match(line)]
    if not body:
        return ()
    if not starts or starts[0] != 0:
        raise _malformed(f"this is no hunk header: {body[0]!r}")
    ends = [*starts[1:], len(body)]
    return tuple(_hunk(body[start:end]) for start, end in zip(starts, ends, strict=True))


def _hunk(lines: Sequence[str]) -> Hunk:
    found = _HUNK.match(lines[0])
    assert found is not None  # noqa: S101  # _hunks cut the lines at such a line
    parsed: list[tuple[Kind, str]] = []
    last = {"-": True, "+": True}
    for line in _without_blank_end(lines[1:]):
        if line.startswith("\\"):
            _note_missing_end(parsed, last)
        else:
            parsed.append(split_body_line(line, _malformed))
    number = int(found.group(1)) if found.group(1) else None
    final = last["+"] if last != {"-": True, "+": True} else None
    return Hunk(tuple(parsed), line=number, final_newline=final)


def _without_blank_end(lines: Sequence[str]) -> Sequence[str]:
    """Leave out empty lines at the end; an empty line of the file has a space in front."""
    end = len(lines)
    while end and not lines[end - 1]:
        end -= 1
    return lines[:end]


def _note_missing_end(parsed: Sequence[tuple[Kind, str]], last: dict[str, bool]) -> None:
    """Note whose last line has no end: the old file's, the new file's, or both."""
    kind = parsed[-1][0] if parsed else " "
    for mark in ("-", "+") if kind == " " else (kind,):
        last[mark] = False


def _malformed(why: str) -> EditError:
    return EditError(
        f"The patch is malformed: {why}. Nothing was changed.",
        hint="Write it as `git diff` does: --- a/FILE, +++ b/FILE, then hunks that begin with @@.",
        code=Code.INVALID_REQUEST,
    )
