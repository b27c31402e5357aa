"""Watching that nothing on the host lifts a cover: a bind mount goes when its file is replaced.

Linux tells of it by inotify, within a millisecond; the standard library has no door to it.
"""

import asyncio
import contextlib
import ctypes
import os
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_MOVED_FROM: Final = 0x040
_MOVED_TO: Final = 0x080
_DELETED: Final = 0x200
_OVERFLOW: Final = 0x4000
_ONLY_FOLDERS: Final = 0x0100_0000
_EVENT: Final = struct.Struct("iIII")
_BUFFER: Final = 64 * 1024


class _Event(NamedTuple):
    watch: int
    mask: int
    name: str


class CoverWatch:
    """Calls `lifted` once, as soon as one of some paths is removed, moved or replaced."""

    def __init__(self, paths: Iterable[str], lifted: Callable[[], None]) -> None:
        """Begin to watch; where inotify cannot be had, nothing is watched.

        Must be called in a running event loop.
        """
        self._lifted = lifted
        self._names: dict[int, set[str]] = {}
        self._descriptor = _LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            return
        for folder, names in _by_folder(paths).items():
            mask = _MOVED_FROM | _MOVED_TO | _DELETED | _ONLY_FOLDERS
            watch = _LIBC.inotify_add_watch(self._descriptor, os.fsencode(folder), mask)
            if watch >= 0:
                self._names[watch] = names
        asyncio.get_running_loop().add_reader(self._descriptor, self._look)

    def close(self) -> None:
        """Stop watching."""
        if self._descriptor < 0:
            return
        with contextlib.suppress(RuntimeError):  # the loop is closed
            asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)
        self._descriptor = -1

    def _look(self) -> None:
        with contextlib.suppress(BlockingIOError):
            events = _events(os.read(self._descriptor, _BUFFER))
            if any(map(self._tells, events)):
                self.close()
                self._lifted()

    def _tells(self, event: _Event) -> bool:
        return bool(event.mask & _OVERFLOW) or event.name in self._names.get(event.watch, ())


def _by_folder(paths: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        folder, _, name = path.rpartition("/")
        found[folder].add(name)
    return found


def _events(data: bytes) -> Iterator[_Event]:
    """Yield events as the kernel lays them out: a head, then a name padded with NULs."""
    position = 0
    while position < len(data):
        watch, mask, _, length = _EVENT.unpack_from(data, position)
        position += _EVENT.size
        name = data[position : position + length].rstrip(b"\0")
        position += length
        yield _Event(watch, mask, os.fsdecode(name))
