"""Cuts a stream of bytes into lines, whatever arrives: noise, halves, lines without an end."""

from collections import deque
from typing import Final

LONGEST_LINE: Final = 32 * 1024 * 1024
"""Bytes; a line that is longer ends the connection."""


class LineTooLong(Exception):
    """A line passed the limit before it ended."""


class LineCutter:
    """Collects chunks until a line is whole. Nothing is copied more than twice."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._begun: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes, lines: deque[bytes]) -> None:
        """Append the lines that `chunk` completes to `lines`, without their ends.

        Raises:
            LineTooLong: A line has passed the limit. Nothing more can be read.
        """
        first, end, rest = chunk.partition(b"\n")
        if not end:
            self._keep(chunk)
            return
        self._keep(first)
        lines.append(b"".join(self._begun))
        self._begun, self._length = [], 0
        whole = rest.split(b"\n")
        self._keep(whole.pop())
        lines.extend(whole)

    def rest(self) -> bytes:
        """Return what stands after the last line end."""
        return b"".join(self._begun)

    def _keep(self, piece: bytes) -> None:
        if not piece:
            return
        self._length += len(piece)
        if self._length > self._longest:
            self._begun = []
            raise LineTooLong
        self._begun.append(piece)
