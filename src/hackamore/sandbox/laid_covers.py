"""The empty files and folders that stand, for a while, where protected paths are missing.

All sessions of a workspace share them. Each session holds a shared lock on one file; whoever goes
and finds no other holder takes away what is still empty. The kernel lets go of the lock of a
session that is killed, so that the next one, of any workspace, cleans up after it.

What is laid is written down before it is made: a kill in between leaves nothing unknown.
"""

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hackamore.sandbox.cover_record import (
    IGNORED,
    UNKNOWN,
    Mark,
    Record,
    folder_name,
    forget_record,
    read_record,
    write_record,
)
from hackamore.sandbox.missing_paths import Missing

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_HELD: Final = "held"
_LOCK_SECONDS: Final = 5.0
_LOCK_PAUSE: Final = 0.01


class LaidCovers:
    """This session's share in the covers of one workspace.

    Not for two threads at once.
    """

    def __init__(self, state: Path, root: Path) -> None:
        """Nothing is laid yet.

        Args:
            state: Folder where covers of all workspaces are written down; made when needed.
            root: The workspace's real path.
        """
        self._state = state
        self._root = root
        self._place = state / folder_name(root)
        self._held: int | None = None

    @property
    def git_ignore(self) -> Path:
        """A file that makes git overlook the laid files; there once something was laid."""
        return self._place / IGNORED

    def hold(self) -> None:
        """Take this session's share: from now on nobody else takes the covers away.

        Raises:
            OSError: The state folder cannot be written, or is locked for too long.
        """
        if self._held is not None:
            return
        with _alone(self._state):
            self._place.mkdir(mode=0o700, exist_ok=True)
            self._held = os.open(self._place / _HELD, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._held, fcntl.LOCK_SH)

    def lay(self, wanted: Iterable[Missing]) -> None:
        """Make what is missing of `wanted`; what cannot be made here, a command cannot make either.

        Raises:
            OSError: As for `hold`.
        """
        self.hold()
        with _alone(self._state):
            _sweep(self._state)
            missing = [one for one in wanted if not os.path.lexists(self._root / one.name)]
            if not missing:
                return
            known = read_record(self._place) or Record(self._root)
            laid = dict(known.laid) | {one.name: UNKNOWN for one in missing}
            write_record(self._place, Record(self._root, laid))
            for one in missing:
                laid[one.name] = _make(self._root, one)
            write_record(self._place, Record(self._root, laid))

    def lift(self) -> None:
        """Give up this session's share; the last one takes the covers away.

        Raises:
            OSError: As for `hold`.
        """
        if self._held is None:
            return
        os.close(self._held)
        self._held = None
        with _alone(self._state):
            _clear_if_unheld(self._place)


@contextmanager
def _alone(state: Path) -> Generator[None]:
    """Keep every other session of this user waiting; what is done here is short."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(state / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(lock)
        yield
    finally:
        os.close(lock)


def _lock(lock: int) -> None:
    """Wait for the lock, but not for ever."""
    deadline = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise TimeoutError(errno.ETIMEDOUT, "another session holds its lock") from None
            time.sleep(_LOCK_PAUSE)
        else:
            return


def _sweep(state: Path) -> None:
    """Take away what killed sessions left, in whatever workspace."""
    for place in state.iterdir():
        if place.is_dir():
            _clear_if_unheld(place)


def _clear_if_unheld(place: Path) -> None:
    try:
        held = os.open(place / _HELD, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        held = None
    try:
        if held is not None:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _clear(place)
    except BlockingIOError:
        return  # somebody works there
    finally:
        if held is not None:
            os.close(held)


def _clear(place: Path) -> None:
    """Remove the covers that are still empty, and the record of them."""
    record = read_record(place)
    if record is not None:
        with contextlib.suppress(OSError), _opened(record.root) as folder:
            for name, mark in record.laid.items():
                _remove(folder, name, mark)
    forget_record(place)
    (place / _HELD).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        place.rmdir()


def _remove(folder: int, name: str, mark: Mark) -> None:
    """Remove a cover; one that a person has touched, filled or replaced stays."""
    with contextlib.suppress(OSError):
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if mark not in (UNKNOWN, _mark(status)):
            return
        if stat.S_ISDIR(status.st_mode):
            os.rmdir(name, dir_fd=folder)
        elif stat.S_ISREG(status.st_mode) and status.st_size == 0:
            os.unlink(name, dir_fd=folder)


def _make(root: Path, one: Missing) -> Mark:
    """Make an empty folder or file; what has come there meanwhile, or cannot be made, is no cover.

    Returns:
        By what to know it again; a mark that fits nothing when it is no cover.
    """
    try:
        with _opened(root) as folder:
            if one.kind == "folder":
                os.mkdir(one.name, 0o755, dir_fd=folder)
            else:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
                os.close(os.open(one.name, flags, 0o644, dir_fd=folder))
            return _mark(os.stat(one.name, dir_fd=folder, follow_symlinks=False))
    except OSError:
        return (-1, -1)


def _mark(status: os.stat_result) -> Mark:
    return (status.st_ino, status.st_ctime_ns)


@contextmanager
def _opened(root: Path) -> Generator[int]:
    folder = os.open(root, _FOLDER)
    try:
        yield folder
    finally:
        os.close(folder)
