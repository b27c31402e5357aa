"""The notation of edits: SEARCH/REPLACE blocks as models write them.

------- SEARCH
old lines
=======
new lines
+++++++ REPLACE
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.errors import EditError
from hackamore.edits.replacement import Change

_BEGIN: Final = re.compile(r"[-<]{3,} ?SEARCH>?\s*")
_DIVIDER: Final = re.compile(r"={3,}\s*")
_END: Final = re.compile(r"[+>]{3,} ?REPLACE>?\s*")
_ESCAPED: Final = re.compile(
    r"\\+(={3,}\s*|[-<]{3,} ?SEARCH>?\s*|[+>]{3,} ?REPLACE>?\s*|(<{7}|>{7}|\|{7})( .*)?)"
)
FORM: Final = "------- SEARCH\nold lines\n=======\nnew lines\n+++++++ REPLACE"


@dataclass(frozen=True, slots=True)
class Block:
    """One block. Where its text holds dividers too, it can be read in several ways.

    Attributes:
        number: Which block of the edit, from 1.
        readings: The ways to read it, the one with the shortest SEARCH first.
    """

    number: int
    readings: tuple[Change, ...]


@dataclass(slots=True)
class _Open:
    """A block that is being read."""

    lines: list[str] = field(default_factory=list[str])
    dividers: list[int] = field(default_factory=list[int])


def parse_blocks(edit: str) -> tuple[Block, ...]:
    """Return the blocks of `edit`; text outside of them is left out.

    Raises:
        EditError: A marker is missing, or there is no block.
    """
    blocks: list[Block] = []
    current: _Open | None = None
    for line in split_lines(edit):
        number = len(blocks) + 1
        if _BEGIN.fullmatch(line):
            if current is not None:
                raise _malformed(number, "a second SEARCH marker stands before its REPLACE marker")
            current = _Open()
        elif current is None:
            _check_outside(line, number)
        elif _END.fullmatch(line):
            blocks.append(_block(number, current))
            current = None
        else:
            if _DIVIDER.fullmatch(line):
                current.dividers.append(len(current.lines))
            current.lines.append(line)
    if current is not None:
        blocks.append(_block(len(blocks) + 1, current))
    if not blocks:
        raise _malformed(1, "there is no SEARCH marker")
    return tuple(blocks)


def split_lines(text: str) -> list[str]:
    """Return the lines of `text` without their ends; a last line break begins no line."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _check_outside(line: str, number: int) -> None:
    if _END.fullmatch(line):
        raise _malformed(number, "a REPLACE marker stands before any SEARCH marker")


def _block(number: int, read: _Open) -> Block:
    if not read.dividers:
        raise _malformed(number, "it has no ======= between the old and the new lines")
    return Block(number, tuple(_readings(read.lines, read.dividers)))


def _readings(lines: Sequence[str], dividers: Sequence[int]) -> Iterable[Change]:
    for at in dividers:
        yield Change(_unescaped(lines[:at]), _unescaped(lines[at + 1 :]))


def _unescaped(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line[1:] if _ESCAPED.fullmatch(line) else line for line in lines)


def _malformed(number: int, why: str) -> EditError:
    return EditError(
        f"Block {number} is malformed: {why}. Nothing was changed.",
        hint=f"Write each block like this:\n{FORM}",
        code=Code.INVALID_REQUEST,
    )
