"""Finds the one place in a text that old lines fit, from strict to lenient.

Exact, then without regard to white space at the ends of lines, then without regard to
indentation. Nothing looser: a wrong place is worse than none.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.edits.lines import Line


@dataclass(frozen=True, slots=True)
class Place:
    """Where old lines fit.

    Attributes:
        start: Index of the first line.
        reindent: They fit only without regard to indentation.
    """

    start: int
    reindent: bool = False


def _as_it_is(text: str) -> str:
    return text


_WAYS: Final[Sequence[Callable[[str], str]]] = (_as_it_is, str.rstrip, str.strip)


class Matcher:
    """The lines of a text, and which of them earlier blocks have claimed."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines: Final = lines
        self._claimed = [False] * len(lines)
        self._views = [[way(line.text) for line in lines] for way in _WAYS]

    def places(self, old: Sequence[str]) -> list[Place]:
        """Return the unclaimed places of `old` under the strictest way that has any."""
        for way, view in zip(_WAYS, self._views, strict=True):
            wanted = [way(text) for text in old]
            starts = [at for at in _starts(view, wanted) if self.is_free(at, len(old))]
            if starts:
                return [Place(at, reindent=way is str.strip) for at in starts]
        return []

    def claimed_places(self, old: Sequence[str]) -> list[int]:
        """Return where `old` would fit exactly, had no earlier block claimed it."""
        return [at for at in _starts(self._views[0], list(old)) if not self.is_free(at, len(old))]

    def is_free(self, start: int, length: int) -> bool:
        """Whether no earlier block has claimed any of these lines."""
        return not any(self._claimed[start : start + length])

    def claim(self, start: int, length: int) -> None:
        """Keep these lines from later blocks."""
        self._claimed[start : start + length] = [True] * length


def _starts(view: Sequence[str], wanted: list[str]) -> list[int]:
    first, length = wanted[0], len(wanted)
    return [
        at
        for at in range(len(view) - length + 1)
        if view[at] == first and view[at : at + length] == wanted
    ]
