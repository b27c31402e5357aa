"""Applies the hunks of a patch to a text: all of them, or none."""

from collections.abc import Sequence
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.edit import Hunk
from hackamore.core.errors import EditError
from hackamore.edits.explain import nearest
from hackamore.edits.lines import Line, joined, lines_of
from hackamore.edits.matching import Matcher, Place
from hackamore.edits.replacement import Change, Edit, edited, new_lines

_BOM: Final = "\ufeff"
_MOST_PLACES: Final = 8


def apply_hunks(text: str, hunks: Sequence[Hunk]) -> str:
    """Return `text` with `hunks` applied, its line ends kept.

    A hunk's old lines must fit one place below the hunk before it. Where they fit several, the
    line number decides when the lines stand exactly there, or the header when it stands in the
    file once: then the first place below it is meant.

    Raises:
        EditError: A hunk fits nowhere (EDIT_NOT_FOUND) or in several places (EDIT_AMBIGUOUS).
    """
    if text.startswith(_BOM):
        return _BOM + apply_hunks(text.removeprefix(_BOM), hunks)
    lines = lines_of(text)
    matcher = Matcher(lines)
    edits: list[Edit] = []
    below = 0
    for number, hunk in enumerate(hunks, start=1):
        edit = _edit(number, hunk, matcher, below)
        below = edit.end
        edits.append(edit)
    return joined(edited(lines, edits), final_end=_ends_with_newline(lines, hunks))


def _ends_with_newline(lines: Sequence[Line], hunks: Sequence[Hunk]) -> bool:
    said = [hunk.final_newline for hunk in hunks if hunk.final_newline is not None]
    return said[-1] if said else not lines or lines[-1].end != ""


def _edit(number: int, hunk: Hunk, matcher: Matcher, below: int) -> Edit:
    change = Change(
        tuple(text for kind, text in hunk.lines if kind != "+"),
        tuple(text for kind, text in hunk.lines if kind != "-"),
    )
    if not change.old:
        start = _insertion(number, hunk, matcher.lines, below)
        near = matcher.lines[start - 1].end if start else ""
        end = near or next((line.end for line in matcher.lines if line.end), "\n")
        return Edit(start, start, tuple(Line(text, end) for text in change.new))
    place = _place(number, hunk, change, matcher, below)
    end = place.start + len(change.old)
    found = matcher.lines[place.start : end]
    return Edit(place.start, end, tuple(new_lines(change, place, found, matcher.lines)))


def _insertion(number: int, hunk: Hunk, lines: Sequence[Line], below: int) -> int:
    """Return where lines go that replace nothing."""
    if not lines or hunk.at_end:
        return len(lines)
    if hunk.line is not None and below <= hunk.line <= len(lines):
        return hunk.line
    header = _header(hunk, lines, below)
    if header is not None:
        return header + 1
    raise EditError(
        f"Hunk {number} adds lines, but does not say where. Nothing was changed.",
        hint="Give a line before or after them that stays.",
        code=Code.EDIT_AMBIGUOUS,
    )


def _place(number: int, hunk: Hunk, change: Change, matcher: Matcher, below: int) -> Place:
    places = [place for place in matcher.places(change.old) if place.start >= below]
    if len(places) > 1:
        places = _narrowed(hunk, change, places, matcher.lines, below)
    if len(places) == 1:
        return places[0]
    if places:
        shown = ", ".join(str(place.start + 1) for place in places[:_MOST_PLACES])
        raise EditError(
            f"Hunk {number} fits {len(places)} places, at lines {shown}. Nothing was changed.",
            hint="Give more lines that stay, before or after.",
            code=Code.EDIT_AMBIGUOUS,
        )
    raise EditError(
        f"Hunk {number}: its old lines were not found in the file. Nothing was changed.",
        hint=nearest(matcher.lines, change.old)
        or "Nothing in the file is like it. Read the file again and copy the lines exactly.",
    )


def _narrowed(
    hunk: Hunk, change: Change, places: list[Place], lines: Sequence[Line], below: int
) -> list[Place]:
    """Return the places that the hunk's own words leave."""
    if hunk.at_end:
        last = len(lines) - len(change.old)
        return [place for place in places if place.start == last] or places
    exact = [place for place in places if hunk.line is not None and place.start == hunk.line - 1]
    if exact:
        return exact
    header = _header(hunk, lines, below)
    return places if header is None else [place for place in places if place.start > header][:1]


def _header(hunk: Hunk, lines: Sequence[Line], below: int) -> int | None:
    """Return the line that the header names, when there is one such line."""
    wanted = hunk.header.strip()
    found = [at for at, line in enumerate(lines) if at >= below and line.text.strip() == wanted]
    return found[0] if wanted and len(found) == 1 else None
