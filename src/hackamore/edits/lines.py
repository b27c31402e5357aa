"""A text as lines that remember how they ended, so that nothing changes by accident."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    r"""One line.

    Attributes:
        text: Without its end.
        end: ``\n``, ``\r\n``, ``\r``, or empty for a last line without one.
    """

    text: str
    end: str

    @property
    def indent(self) -> str:
        """The white space that it begins with."""
        return indent_of(self.text)


def lines_of(text: str) -> list[Line]:
    """Split `text` into lines; joined again they are `text`.

    A carriage return alone ends a line only where no line feed does, as on old Macs.
    """
    old = "\r" in text and "\n" not in text
    *pieces, last = text.split("\r" if old else "\n")
    lines = [Line(piece, "\r") if old else _ended(piece) for piece in pieces]
    return [*lines, Line(last, "")] if last else lines


def _ended(piece: str) -> Line:
    return Line(piece[:-1], "\r\n") if piece.endswith("\r") else Line(piece, "\n")


def joined(lines: Sequence[Line], *, final_end: bool) -> str:
    """Join `lines`; only the last one may be without an end, and is so unless `final_end`."""
    pieces: list[str] = []
    near = next((line.end for line in lines if line.end), "\n")
    for line in lines:
        near = line.end or near
        pieces += (line.text, near)
    if lines and not final_end:
        pieces.pop()
    return "".join(pieces)


def indent_of(text: str) -> str:
    """Return the white space that `text` begins with."""
    return text[: len(text) - len(text.lstrip())]
