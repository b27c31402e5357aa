"""Finds where a bracket ends, in text that arrives in pieces: JSON, or arguments in parentheses.

Brackets inside strings do not count. A quote begins a string only where a value may begin, so an
apostrophe in a word is none. Three quotes in a row begin a long string, which three end. Every
character is looked at once.
"""

import re
from collections.abc import Callable
from typing import Final

_OUTSIDE: Final = re.compile(r"""[^"'()\[\]{}\uFF08\uFF09]*+""")
_BODY: Final = {quote: re.compile(rf"(?:[^{quote}\\]++|\\.)*+", re.DOTALL) for quote in "\"'"}
_CLOSING: Final = {"(": ")", "[": "]", "{": "}", "\uff08": ")"}
_BEFORE_VALUE: Final = re.compile(r"[(\[{,:=\uFF08\uFF0C\uFF1A\uFF1D][rR]?\Z")
_LONG: Final = 3


class BracketScan:
    """Reads from a bracket to its end.

    Attributes:
        over: The bracket was closed, or it never can be.
        broken: It never can be: another kind of bracket is closed first.
    """

    def __init__(self, opened: str = "") -> None:
        """Begin before the bracket, or after it when `opened` says which it is."""
        self.over = False
        self.broken = False
        self._open = [_CLOSING[opened]] if opened else []
        self._before = opened
        self._quote = ""
        self._marks = 0
        self._needed = 1
        self._mode: Callable[[str, int], int] = self._outside

    def feed(self, text: str, at: int = 0) -> int:
        """Take `text` from `at` on; return where in it the bracket ends, or -1."""
        while at < len(text) and not self.over:
            at = self._mode(text, at)
        return at if self.over else -1

    def is_quiet(self, text: str) -> bool:
        """Whether nothing in `text` could end the bracket."""
        return self._mode == self._body and self._quote not in text

    def _outside(self, text: str, at: int) -> int:
        end = _run(_OUTSIDE, text, at)
        if end > at:
            self._before = (self._before + "".join(text[at:end].split()))[-2:]
        if end == len(text):
            return end
        mark = text[end]
        if mark in _BODY and _BEFORE_VALUE.search(self._before):
            self._quote, self._marks, self._mode = mark, 1, self._opened
        else:
            self._bracket(mark)
        return end + 1

    def _bracket(self, mark: str) -> None:
        self._before = mark
        if mark in _CLOSING:
            self._open.append(_CLOSING[mark])
        elif mark not in _BODY:
            self.broken = not self._open or self._open.pop() != mark.replace("\uff09", ")")
            self.over = self.broken or not self._open

    def _opened(self, text: str, at: int) -> int:
        """Read what follows a quote: a second one may end the string, a third makes it long."""
        if text[at] == self._quote:
            self._marks += 1
            if self._marks == _LONG:
                self._begin(_LONG)
            return at + 1
        if self._marks == 1:
            self._begin(1)
        else:
            self._end()
        return at

    def _body(self, text: str, at: int) -> int:
        end = _run(_BODY[self._quote], text, at)
        if end > at:
            self._marks = 0
        if end == len(text):
            return end
        if text[end] == "\\":
            self._marks, self._mode = 0, self._escaped
            return end + 1
        self._marks += 1
        if self._marks == self._needed:
            self._end()
        return end + 1

    def _escaped(self, text: str, at: int) -> int:
        del text
        self._mode = self._body
        return at + 1

    def _begin(self, needed: int) -> None:
        self._marks, self._needed, self._mode = 0, needed, self._body

    def _end(self) -> None:
        self._before, self._mode = self._quote, self._outside


def _run(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return where the run of `pattern` that begins at `at` ends."""
    found = pattern.match(text, at)
    return found.end() if found else at
