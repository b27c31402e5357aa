"""New lines for the lines at one place: what the edit repeats stays as the file has it.

The new lines get the indentation and the line ends of the lines they replace.
"""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.edits.indentation import IndentationMap
from hackamore.edits.lines import Line, indent_of
from hackamore.edits.matching import Place

_MOST_COMPARED: Final = 4_000_000
"""Pairs of lines; beyond that, comparing old and new lines would take too long."""


@dataclass(frozen=True, slots=True)
class Change:
    """Old lines and the new ones that take their place; lines are without their ends."""

    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """New lines for the lines from `start` to `end`."""

    start: int
    end: int
    lines: tuple[Line, ...]


def edited(lines: Sequence[Line], edits: Iterable[Edit]) -> list[Line]:
    """Return `lines` with `edits`, which stand in their order and do not overlap."""
    result: list[Line] = []
    at = 0
    for edit in edits:
        result += lines[at : edit.start]
        result += edit.lines
        at = edit.end
    return result + list(lines[at:])


def new_lines(
    change: Change, place: Place, found: Sequence[Line], lines: Sequence[Line]
) -> Iterable[Line]:
    """Return the new lines; those that the block does not change stay as the file has them."""
    moved = _indentation(change, found) if place.reindent else None
    for kind, old_start, old_end, new_start, new_end in _differences(change):
        if kind == "equal":
            yield from found[old_start:old_end]
            continue
        for offset, text in enumerate(change.new[new_start:new_end]):
            like = min(old_start + offset, max(old_end - 1, old_start - 1, 0))
            own = text if moved is None else moved.beside(text, change.old[like], found[like])
            yield Line(own, _end_near(lines, place.start + like))


def _differences(change: Change) -> Iterable[tuple[str, int, int, int, int]]:
    """Return what is equal in the old and the new lines, and what is not."""
    old, new = len(change.old), len(change.new)
    if old * new > _MOST_COMPARED:
        return [("replace", 0, old, 0, new)]
    matcher = difflib.SequenceMatcher(a=change.old, b=change.new, autojunk=False)
    return matcher.get_opcodes()


def _indentation(change: Change, found: Sequence[Line]) -> IndentationMap | None:
    """Return how to move the new lines, or None where they stand right already."""
    first_old = next(at for at, text in enumerate(change.old) if text.strip())
    first_new = next((text for text in change.new if text.strip()), "")
    own = found[first_old].indent
    if indent_of(change.old[first_old]) != own == indent_of(first_new):
        return None
    return IndentationMap(change.old, found)


def _end_near(lines: Sequence[Line], at: int) -> str:
    """Return the line end at index `at`, or the one before where the last line has none."""
    return lines[at].end or (lines[at - 1].end if at > 0 else "")
