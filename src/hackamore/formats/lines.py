"""Keeps track of the line that prose is in: is it still blank, is it inside inline code.

And of fences, which are lines of their own.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

FENCES: Final = frozenset({"```", "~~~"})
"""What a fence begins with, at least."""

_RUNS: Final = re.compile(r"`+|[^`]+")


@dataclass(slots=True)
class Line:
    """The line of prose that is being read.

    Attributes:
        blank: It holds nothing but white space so far.
    """

    blank: bool = True
    _code: int = 0
    _run: int = 0

    @property
    def in_code(self) -> bool:
        """Whether what comes next is inside inline code, or right before its closing marks."""
        return self._after_run() > 0

    def see(self, text: str) -> None:
        """Take more text."""
        _, broken, last = text.rpartition("\n")
        if broken:
            self.blank, self._code, self._run = True, 0, 0
        if last and not last.isspace():
            self.blank = False
        if self._run or "`" in last:
            for piece in _RUNS.findall(last):
                self._see_piece(piece)

    def _see_piece(self, piece: str) -> None:
        if piece[0] == "`":
            self._run += len(piece)
        else:
            self._code, self._run = self._after_run(), 0

    def _after_run(self) -> int:
        """The length of the marks that opened the code that we are in; 0 outside of code."""
        if self._run == 0:
            return self._code
        if self._code == 0:
            return self._run
        return 0 if self._run == self._code else self._code


class Fence:
    """An open code fence; notices the line that closes it.

    Text has to come cut at the fence's marks (three in a row), as a `TagReader` cuts it: then
    only the first line of a piece can be the end of a line of marks.
    """

    def __init__(self, mark: str, length: int) -> None:
        self.mark = mark
        self._length = length
        self.restart()

    def restart(self) -> None:
        """Begin a new line."""
        self._state: Literal["lead", "marks", "tail", "other"] = "lead"
        self._marks = 0
        self._shows = False

    @property
    def closes(self) -> bool:
        """Whether the line so far is one that closes the fence."""
        return self._state in {"marks", "tail"} and self._marks >= self._length

    @property
    def is_bare(self) -> bool:
        """Whether no line since `restart` shows anything; only lines at cuts are looked at."""
        return not self._shows and self._state != "other"

    def see(self, text: str) -> int:
        """Take more text; return where in it the closing line ends, or -1."""
        end = text.find("\n")
        if end < 0:
            self._see_line(text)
            return -1
        self._see_line(text[:end])
        if self.closes:
            return end + 1
        shows = self._shows or self._state != "lead"
        self.restart()
        self._shows = shows
        self._see_line(text[text.rfind("\n") + 1 :])
        return -1

    def _see_line(self, text: str) -> None:
        if self._state == "lead":
            text = text.lstrip(" \t")
        if not text or self._state == "other":
            return
        if self._state != "tail":
            tail = text.lstrip(self.mark)
            self._marks += len(text) - len(tail)
            self._state = "marks" if self._marks else "other"
            text = tail
        if text and self._state != "other":
            self._state = "tail" if text.isspace() else "other"
