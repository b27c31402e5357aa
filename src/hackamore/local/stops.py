"""Pieces of text on their way out: whole characters only, and nothing from a stop string on."""

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hackamore.core.generator import Piece


class Pieces:
    """Turns a token's bytes into pieces; holds back what may be the start of a stop string.

    Attributes:
        stopped: A stop string has come; whatever follows is not part of the answer.
    """

    def __init__(self, stop: Sequence[str]) -> None:
        self._stop = tuple(text for text in stop if text)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting: list[Piece] = []
        self._last = Piece("", 0.0, 0)
        self.stopped = False

    def add(self, data: bytes, margin: float, position: int) -> Iterator[Piece]:
        """Take one token; yield the pieces that are surely part of the answer."""
        self._last = Piece("", margin, position)
        self._waiting.append(replace(self._last, text=self._decoder.decode(data)))
        text = "".join(piece.text for piece in self._waiting)
        hits = [hit for hit in (text.find(stop) for stop in self._stop) if hit >= 0]
        if hits:
            self.stopped = True
            yield from self._release(min(hits), whole=False)
        else:
            yield from self._release(len(text) - self._held_back(text), whole=True)

    def finish(self) -> Iterator[Piece]:
        """Yield what is left when the answer ends without a stop string."""
        if not self.stopped:
            yield from self._waiting
            if rest := self._decoder.decode(b"", final=True):
                yield replace(self._last, text=rest)
        self._waiting.clear()

    def _held_back(self, text: str) -> int:
        """Return how many characters at the end may be the start of a stop string."""
        longest = 0
        for stop in self._stop:
            for size in range(min(len(stop) - 1, len(text)), longest, -1):
                if text.endswith(stop[:size]):
                    longest = size
                    break
        return longest

    def _release(self, size: int, *, whole: bool) -> Iterator[Piece]:
        """Yield the pieces within the first `size` characters; cut the last unless `whole`."""
        while self._waiting and len(self._waiting[0].text) <= size:
            piece = self._waiting.pop(0)
            size -= len(piece.text)
            yield piece
        if not whole:
            if self._waiting and size > 0:
                yield replace(self._waiting[0], text=self._waiting[0].text[:size])
            self._waiting.clear()
