"""Moves new lines to the indentation of the file that they go into."""

import itertools
from collections.abc import Mapping, Sequence

from hackamore.edits.lines import Line, indent_of


class IndentationMap:
    """What each indentation in SEARCH is in the file.

    Indentations that do not occur in SEARCH go by the longest one that they begin with; what is
    left is written in the file's own unit, where the lines that matched tell it.
    """

    def __init__(self, old: Sequence[str], found: Sequence[Line]) -> None:
        self._map: dict[str, str] = {}
        for text, line in zip(old, found, strict=True):
            if text.strip():
                self._map.setdefault(indent_of(text), line.indent)
        self._units = _units(self._map)

    def applied(self, text: str) -> str:
        """Return `text`, a new line, with the file's indentation."""
        indent = indent_of(text)
        return self._indent(indent) + text[len(indent) :] if text.strip() else text

    def beside(self, text: str, old: str, line: Line) -> str:
        """Return the same for a new line that takes the place of `old`, which matched `line`."""
        if text.strip() and old.strip() and indent_of(text) == indent_of(old):
            return line.indent + text.lstrip()
        return self.applied(text)

    def _indent(self, indent: str) -> str:
        mapped = [known for known in self._map if indent.startswith(known)]
        if mapped:
            known = max(mapped, key=len)
            return self._map[known] + self._in_units(indent[len(known) :])
        deeper = sorted((known for known in self._map if known.startswith(indent)), key=len)
        for known in deeper:
            more = self._in_units(known[len(indent) :])
            if self._map[known].endswith(more):
                return self._map[known].removesuffix(more)
        return indent

    def _in_units(self, rest: str) -> str:
        for unit, own in self._units.items():
            count, odd = divmod(len(rest), len(unit))
            if odd == 0 and rest == unit * count:
                return own * count
        return rest


def _units(known: Mapping[str, str]) -> dict[str, str]:
    """Return what one step of indentation in SEARCH is in the file."""
    steps: dict[str, str] = {}
    for shorter, longer in itertools.pairwise(sorted(known, key=len)):
        own_shorter, own_longer = known[shorter], known[longer]
        if longer.startswith(shorter) and own_longer.startswith(own_shorter):
            steps.setdefault(longer[len(shorter) :], own_longer[len(own_shorter) :])
    return steps or _tab_steps(known)


def _tab_steps(known: Mapping[str, str]) -> dict[str, str]:
    """Return the same where only the change between tabs and spaces tells it."""
    for indent, own in known.items():
        if step := _width(own, indent):
            return {step: "\t"}
        if step := _width(indent, own):
            return {"\t": step}
    return {}


def _width(tabs: str, spaces: str) -> str:
    """Return the spaces that stand for one tab; empty when the two do not compare."""
    if not tabs or tabs.strip("\t") or spaces.strip(" ") or len(spaces) % len(tabs):
        return ""
    return " " * (len(spaces) // len(tabs))
