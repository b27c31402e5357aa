"""Applies SEARCH/REPLACE blocks to a text: all of them, or none."""

from collections.abc import Sequence
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.errors import EditError
from hackamore.edits.blocks import Block, parse_blocks
from hackamore.edits.explain import nearest
from hackamore.edits.lines import Line, joined, lines_of
from hackamore.edits.matching import Matcher, Place
from hackamore.edits.replacement import Change, Edit, edited, new_lines

_BOM: Final = "\ufeff"
_MOST_PLACES: Final = 8


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
    result = joined(edited(lines, edits), final_end=not lines or lines[-1].end != "")
    if result == text:
        raise EditError(
            "The edit changes nothing: the file already has the new lines.",
            hint="Read the file again before editing it.",
            code=Code.INVALID_REQUEST,
        )
    return result


def _placed(block: Block, matcher: Matcher) -> Edit:
    """Find the block's place, and claim it."""
    change, place = _chosen(block, matcher)
    end = place.start + len(change.old)
    matcher.claim(place.start, len(change.old))
    found = matcher.lines[place.start : end]
    return Edit(place.start, end, tuple(new_lines(change, place, found, matcher.lines)))


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
