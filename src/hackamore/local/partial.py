"""A file on its way: the first bytes of the whole, so that any source can go on from there."""

import contextlib
import hashlib
import os
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from hackamore.local.in_thread import Abandoned

_CHUNK: Final = 1024 * 1024


class FetchFailed(Exception):
    """One source did not work; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is.

    Attributes:
        done_bytes: Bytes that are there (or checked).
        total_bytes: Bytes of the whole.
        what: What is going on, in a few words.
    """

    done_bytes: int
    total_bytes: int
    what: str


OnProgress: TypeAlias = Callable[[Progress], None]


class Partial:
    """The growing file. Safe to close while a thread still adds to it.

    Attributes:
        path: Where it lies.
        total: Bytes of the whole.
    """

    def __init__(self, path: Path, total: int) -> None:
        self.path = path
        self.total = total
        self._gate = threading.Lock()
        self._open = True

    @property
    def size(self) -> int:
        """Bytes that are there."""
        return self.path.stat().st_size if self.path.exists() else 0

    def cut(self, size: int) -> None:
        """Keep only the first `size` bytes."""
        with self._writing(), self.path.open("ab") as file:
            file.truncate(size)

    def append(self, data: bytes) -> None:
        """Add bytes.

        Raises:
            FetchFailed: The whole would be longer than it should be.
        """
        with self._writing(), self.path.open("ab") as file:
            if file.tell() + len(data) > self.total:
                raise FetchFailed("it sends more bytes than the model has")
            file.write(data)

    def link(self, source: Path) -> None:
        """Be another name of `source`; raises `OSError` where that is not possible."""
        with self._writing():
            self.path.unlink(missing_ok=True)
            os.link(source.resolve(), self.path)

    def remove(self) -> None:
        """Throw it away."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let nobody write any more: a thread that was left behind raises `Abandoned`."""
        with self._gate:
            self._open = False

    @contextlib.contextmanager
    def _writing(self) -> Generator[None]:
        with self._gate:
            if not self._open:
                raise Abandoned
            yield


def sha256(path: Path, on_chunk: Callable[[int], None]) -> str:
    """Return a file's hash; `on_chunk` is told the bytes read so far, and may raise to stop."""
    digest, done = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            done += len(chunk)
            on_chunk(done)
    return digest.hexdigest()
