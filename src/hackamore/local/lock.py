"""One at a time among processes: a lock file, which the kernel releases when its holder ends."""

import asyncio
import contextlib
import fcntl
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Final

_AGAIN: Final = 0.2


@contextlib.asynccontextmanager
async def locked(path: Path, on_wait: Callable[[], None]) -> AsyncGenerator[None, None]:
    """Hold the lock; while another process does, wait and call `on_wait` now and then."""
    with path.open("ab") as file:
        while not _taken(file.fileno()):
            on_wait()
            await asyncio.sleep(_AGAIN)
        yield


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
