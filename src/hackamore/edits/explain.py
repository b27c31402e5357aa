"""Says why old lines were not found: the closest lines of the file, and the difference."""

import difflib
from collections.abc import Sequence
from typing import Final

from hackamore.edits.lines import Line

_MOST_LINES: Final = 20_000
_MOST_SHOWN: Final = 12
_LIKE: Final = 0.6


def nearest(lines: Sequence[Line], old: Sequence[str]) -> str:
    """Return words about the lines that are most like `old`; empty when none is."""
    texts = [line.text.strip() for line in lines[:_MOST_LINES]]
    wanted = [text.strip() for text in old]
    start = _most_equal(texts, wanted)
    if start is None:
        start = _most_like(texts, wanted)
    if start is None:
        return ""
    end = min(start + len(old), len(lines), start + _MOST_SHOWN)
    shown = "\n".join(f"{at + 1:5} | {lines[at].text}" for at in range(start, end))
    return f"The closest lines are:\n{shown}\n{_difference(lines, old, start)}"


def _most_equal(texts: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return the place where most lines are equal, if any are."""
    scores: dict[int, int] = {}
    places: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        places.setdefault(text, []).append(at)
    for offset, text in enumerate(wanted):
        for at in places.get(text, [])[:_MOST_LINES] if text else ():
            scores[at - offset] = scores.get(at - offset, 0) + 1
    best = max(scores, key=lambda at: (scores[at], -at), default=None)
    return None if best is None else max(best, 0)


def _most_like(texts: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return the place of the line that is most like the longest wanted one."""
    offset = max(range(len(wanted)), key=lambda at: len(wanted[at]))
    matcher = difflib.SequenceMatcher(b=wanted[offset], autojunk=False)
    best, best_ratio = None, _LIKE
    for at, text in enumerate(texts):
        matcher.set_seq1(text)
        if matcher.real_quick_ratio() > best_ratio and matcher.quick_ratio() > best_ratio:
            ratio = matcher.ratio()
            if ratio > best_ratio:
                best, best_ratio = at, ratio
    return None if best is None else max(best - offset, 0)


def _difference(lines: Sequence[Line], old: Sequence[str], start: int) -> str:
    for offset, text in enumerate(old):
        at = start + offset
        if at >= len(lines):
            return f"SEARCH goes on with {text!r}, but the file ends at line {len(lines)}."
        if lines[at].text.rstrip() != text.rstrip():
            return f"Line {at + 1} is {lines[at].text!r}, but SEARCH has {text!r}."
    return ""
