"""Taking the file from a place on this machine that a person named."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from hackamore.local.in_thread import in_thread
from hackamore.local.partial import FetchFailed, OnProgress, Partial, Progress

_CHUNK: Final = 4 * 1024 * 1024


class FromFile:
    """One path; the file is linked where that is possible, else copied. It stays where it is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = str(path)

    async def fetch(self, partial: Partial, on_progress: OnProgress) -> None:
        """Put the file in place of whatever is there.

        Raises:
            FetchFailed: There is no such file, or it has another size.
        """
        await in_thread(lambda check: self._take(partial, on_progress, check))

    def _take(self, partial: Partial, on_progress: OnProgress, check: Callable[[], None]) -> None:
        try:
            if self._path.stat().st_size != partial.total:
                raise FetchFailed("it is not this model's file: its size is another")
            try:
                partial.link(self._path)
            except OSError:
                self._copy(partial, on_progress, check)
        except OSError as error:
            raise FetchFailed(f"it cannot be read ({error.strerror})") from error

    def _copy(self, partial: Partial, on_progress: OnProgress, check: Callable[[], None]) -> None:
        """Copy what cannot be linked, such as a file on another disk."""
        partial.cut(0)
        with self._path.open("rb") as file:
            while data := file.read(_CHUNK):
                check()
                partial.append(data)
                on_progress(Progress(partial.size, partial.total, "copying"))
