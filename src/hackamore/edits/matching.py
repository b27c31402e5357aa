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


class _View:
    """The lines as one way sees them, and where each of them stands."""

    def __init__(self, way: Callable[[str], str], lines: Sequence[Line]) -> None:
        self._lines = [way(line.text) for line in lines]
        self._places: dict[str, list[int]] = {}
        for at, text in enumerate(self._lines):
            self._places.setdefault(text, []).append(at)

    def starts(self, wanted: list[str]) -> list[int]:
        """Return where `wanted` stands, looking only where its rarest line does."""
        known = self._places
        if any(text not in known for text in wanted):
            return []
        offset = min(range(len(wanted)), key=lambda at: len(known[wanted[at]]))
        begins = (at - offset for at in known[wanted[offset]])
        length = len(wanted)
        return [at for at in begins if at >= 0 and self._lines[at : at + length] == wanted]


class Matcher:
    """The lines of a text, and which of them earlier blocks have claimed."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines: Final = lines
        self._claimed = [False] * len(lines)
        self._views: dict[Callable[[str], str], _View] = {}

    def places(self, old: Sequence[str]) -> list[Place]:
        """Return the unclaimed places of `old` under the strictest way that has any."""
        for way in _WAYS:
            wanted = [way(text) for text in old]
            starts = [at for at in self._view(way).starts(wanted) if self.is_free(at, len(old))]
            if starts:
                return [Place(at, reindent=way is str.strip) for at in starts]
        return []

    def claimed_places(self, old: Sequence[str]) -> list[int]:
        """Return where `old` would fit exactly, had no earlier block claimed it."""
        found = self._view(_as_it_is).starts(list(old))
        return [at for at in found if not self.is_free(at, len(old))]

    def is_free(self, start: int, length: int) -> bool:
        """Whether no earlier block has claimed any of these lines."""
        return not any(self._claimed[start : start + length])

    def claim(self, start: int, length: int) -> None:
        """Keep these lines from later blocks."""
        self._claimed[start : start + length] = [True] * length

    def _view(self, way: Callable[[str], str]) -> _View:
        """Return the lines as `way` sees them; most edits need only the first way."""
        if way not in self._views:
            self._views[way] = _View(way, self.lines)
        return self._views[way]
