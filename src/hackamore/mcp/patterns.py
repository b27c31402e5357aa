"""Regular expressions of servers: matched only where that surely ends soon.

A pattern may be written for another engine, or take for ever on the right text. So only plain ones
are tried: characters, classes, groups, choices and repeats; and before that, the ways are counted
in which such a pattern could be matched. What is not plain, or has too many ways, is left to the
server. Pure.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

MOST_WAYS: Final = 1_000_000.0
_LONGEST: Final = 1_000
_ESCAPED: Final = "dDwWsSbBtnrfv" + r"\.*+?()[]{}|^$/-,:;!@#%&=~<>'`" + '"'
_GROUP: Final = re.compile(r"\((\?:|(?!\?))")
_CLASS: Final = re.compile(r"\[\^?(?:\\.|[^\]\\])(?:\\.|[^\]\\])*\]", re.DOTALL)
_ODD_IN_CLASS: Final = re.compile(r"\[:|--|&&|~~|\|\||\\[^dDwWsStnrfv\\\]\[\-^.*+?(){}|$/,:@#_]")
_REPEAT: Final = re.compile(r"(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})\??")

Ways: TypeAlias = Callable[[int], float]
"""How many ways there are to match in a text of a length, at most."""


def ways(pattern: str, text: str) -> float:
    """Return how many ways there are to try `pattern` on `text`, at most; infinite if unknown."""
    plain = _plain(pattern)
    return float("inf") if plain is None else plain[1](len(text))


def matches(pattern: str, text: str) -> bool | None:
    """Return whether `text` matches somewhere; None when that cannot be known soon."""
    plain = _plain(pattern)
    if plain is None or plain[1](len(text)) > MOST_WAYS:
        return None
    return plain[0].search(text) is not None


@lru_cache(maxsize=1024)
def _plain(pattern: str) -> tuple[re.Pattern[str], Ways] | None:
    """Return `pattern` compiled, and its ways; None when it is not plain."""
    if len(pattern) > _LONGEST:
        return None
    reader = _Reader(pattern)
    try:
        in_one_place = reader.whole()
        compiled = re.compile("".join(reader.read))
    except (_NotPlain, re.error, RecursionError, OverflowError):
        return None
    if pattern.startswith("^") and "|" not in pattern:
        return compiled, lambda length: in_one_place(length) + length
    return compiled, lambda length: in_one_place(length) * max(length, 1)


class _NotPlain(Exception):
    """A pattern holds what is not counted here."""


class _Reader:
    """Reads a pattern from left to right; `read` is what Python is to be given."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self.read: list[str] = []

    def whole(self) -> Ways:
        found = self._choices()
        if self._at < len(self._pattern):
            raise _NotPlain
        return found

    def _choices(self) -> Ways:
        choices = [self._sequence()]
        while self._next() == "|":
            self._take(1)
            choices.append(self._sequence())
        return choices[0] if len(choices) == 1 else _any_of(choices)

    def _sequence(self) -> Ways:
        parts: list[Ways] = []
        while self._next() not in ("", "|", ")"):
            part = self._atom()
            repeat = _REPEAT.match(self._pattern, self._at)
            if repeat:
                self._take(len(repeat.group()))
                part = _repeated(part, *_bounds(repeat))
            if part is not _one:
                parts.append(part)
        return _all_of(parts) if parts else _one

    def _atom(self) -> Ways:
        first = self._next()
        if first == "(":
            return self._group()
        if first == "[":
            self._class()
        elif first == "\\":
            if self._pattern[self._at + 1 : self._at + 2] not in tuple(_ESCAPED):
                raise _NotPlain
            self._take(2)
        elif first in "*+?{":
            raise _NotPlain
        else:
            self._take(1)
        return _one

    def _group(self) -> Ways:
        opening = _GROUP.match(self._pattern, self._at)
        if opening is None:
            raise _NotPlain
        self._take(len(opening.group()))
        inner = self._choices()
        if self._next() != ")":
            raise _NotPlain
        self._take(1)
        return _as_group(inner)

    def _class(self) -> None:
        found = _CLASS.match(self._pattern, self._at)
        if found is None or _ODD_IN_CLASS.search(found.group(), 1):
            raise _NotPlain
        self._at = found.end()
        inner = re.sub(r"\\.|\[", lambda one: one.group().rjust(2, "\\"), found.group()[1:])
        self.read.append(f"[{inner}")

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self, characters: int) -> None:
        self.read.append(self._pattern[self._at : self._at + characters])
        self._at += characters


def _bounds(repeat: re.Match[str]) -> tuple[int, int | None]:
    """Return how often at least and at most; None is without end."""
    sign = repeat.group()[0]
    if sign != "{":
        return (1 if sign == "+" else 0), (1 if sign == "?" else None)
    least = int(repeat.group(1))
    if repeat.group(2) is None:
        return least, least
    return least, int(repeat.group(3)) if repeat.group(3) else None


def _one(length: int) -> float:
    """Return the ways of what can be matched in one way only."""
    del length
    return 1.0


def _as_group(inner: Ways) -> Ways:
    """Return a group's ways, told apart from those of a single character."""
    return lambda length: inner(length)


def _any_of(choices: list[Ways]) -> Ways:
    return lambda length: sum(ways(length) for ways in choices)


def _all_of(parts: list[Ways]) -> Ways:
    def all_of(length: int) -> float:
        product = 1.0
        for ways in parts:
            product *= ways(length)
        return product

    return all_of


def _repeated(inner: Ways, least: int, most: int | None) -> Ways:
    is_group = inner is not _one

    def repeated(length: int) -> float:
        times = max(least, length if most is None else min(most, length))
        ways = (times - least + 1) * _power(inner(length), times)
        return ways * max(least, 1) if is_group else ways

    return repeated


def _power(base: float, exponent: int) -> float:
    try:
        return base**exponent
    except OverflowError:
        return float("inf")
