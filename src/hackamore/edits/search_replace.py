"""Applies SEARCH/REPLACE blocks to a text: all of them, or none."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.errors import EditError
from hackamore.edits.blocks import Block, Change, parse_blocks
from hackamore.edits.explain import nearest
from hackamore.edits.indentation import IndentationMap
from hackamore.edits.lines import Line, indent_of, joined, lines_of
from hackamore.edits.matching import Matcher, Place

_BOM: Final = "\ufeff"
_MOST_PLACES: Final = 8
_MOST_COMPARED: Final = 4_000_000
"""Pairs of lines; beyond that, comparing old and new lines would take too long."""


def apply(text: str, diff: str) -> str:
    """Return `text` with the blocks of `diff` applied.

    Each block replaces whole lines. Blocks are matched one after the other against the lines
    that no earlier block has claimed. Line ends, and whether the text ends with one, are kept.

    Args:
        text: What the file holds, decoded; empty for a new file. A byte order mark stays.
        diff: The blocks.

    Raises:
        EditError: A block fits nowhere (EDIT_NOT_FOUND), in more than one place
            (EDIT_AMBIGUOUS), or is no proper block (INVALID_REQUEST).
    """
    if text.startswith(_BOM):
        return _BOM + apply(text.removeprefix(_BOM), diff)
    blocks = parse_blocks(diff)
    lines = lines_of(text)
    if not lines and len(blocks) == 1 and blocks[0].readings[0].old == ():
        return joined([Line(new, "\n") for new in blocks[0].readings[0].new], final_end=True)
    matcher = Matcher(lines)
    edits = sorted((_placed(block, matcher) for block in blocks), key=lambda edit: edit.start)
    result = joined(_edited(lines, edits), final_end=not lines or lines[-1].end != "")
    if result == text:
        raise EditError(
            "The edit changes nothing: the file already has the new lines.",
            hint="Read the file again before editing it.",
            code=Code.INVALID_REQUEST,
        )
    return result


@dataclass(frozen=True, slots=True)
class _Edit:
    """New lines for the lines from `start` to `end`."""

    start: int
    end: int
    lines: tuple[Line, ...]


def _edited(lines: Sequence[Line], edits: Iterable[_Edit]) -> list[Line]:
    result: list[Line] = []
    at = 0
    for edit in edits:
        result += lines[at : edit.start]
        result += edit.lines
        at = edit.end
    return result + list(lines[at:])


def _placed(block: Block, matcher: Matcher) -> _Edit:
    """Find the block's place, and claim it."""
    change, place = _chosen(block, matcher)
    end = place.start + len(change.old)
    matcher.claim(place.start, len(change.old))
    found = matcher.lines[place.start : end]
    return _Edit(place.start, end, tuple(_new_lines(change, place, found, matcher.lines)))


def _chosen(block: Block, matcher: Matcher) -> tuple[Change, Place]:
    """Choose how to read the block: the longest SEARCH that fits exactly one place."""
    best: tuple[Change, Place] | None = None
    for change in block.readings:
        if any(text.strip() for text in change.old):
            places = matcher.places(change.old)
            if len(places) == 1 and (best is None or best[1].reindent >= places[0].reindent):
                best = change, places[0]
    likeliest = next((read for read in block.readings if read.old), block.readings[0])
    change = likeliest if best is None else best[0]
    _check(block, change, matcher)
    if best is None:
        raise _unplaced(block, change, matcher)
    return best


def _check(block: Block, change: Change, matcher: Matcher) -> None:
    if not change.old:
        state = "the file is not empty" if matcher.lines else "there are other blocks"
        raise _invalid(block, f"its SEARCH is empty, but {state}", "Give the lines to replace.")
    if not any(text.strip() for text in change.old):
        raise _invalid(block, "its SEARCH holds only blank lines", "Add the lines around them.")
    if change.old == change.new:
        raise _invalid(block, "its SEARCH and REPLACE are the same", "Leave it out, or change it.")


def _new_lines(
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


def _unplaced(block: Block, change: Change, matcher: Matcher) -> EditError:
    places = matcher.places(change.old)
    if places:
        return _ambiguous(block, [place.start + 1 for place in places])
    claimed = matcher.claimed_places(change.old)
    if claimed:
        return EditError(
            f"Block {block.number}: an earlier block already replaces its lines, at line"
            f" {claimed[0] + 1}. Nothing was changed.",
            hint="Put both changes into one block.",
        )
    return EditError(
        f"Block {block.number}: its SEARCH was not found in the file. Nothing was changed.",
        hint=nearest(matcher.lines, change.old)
        or "Nothing in the file is like it. Read the file again and copy the lines exactly.",
    )


def _ambiguous(block: Block, numbers: Sequence[int]) -> EditError:
    shown = ", ".join(map(str, numbers[:_MOST_PLACES]))
    more = ", …" if len(numbers) > _MOST_PLACES else ""
    return EditError(
        f"Block {block.number}: its SEARCH fits {len(numbers)} places, at lines {shown}{more}."
        f" Nothing was changed.",
        hint="Add lines before or after, so that only one place fits.",
        code=Code.EDIT_AMBIGUOUS,
    )


def _invalid(block: Block, why: str, hint: str) -> EditError:
    return EditError(
        f"Block {block.number}: {why}. Nothing was changed.", hint=hint, code=Code.INVALID_REQUEST
    )
