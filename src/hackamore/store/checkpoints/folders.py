"""Opening folders of a workspace one by one, so that no link leads out of it."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextmanager
def open_root(root: str) -> Generator[int]:
    """Open the workspace itself; `root` is its real path."""
    fd = os.open(root, FOLDER)
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def open_parent(root: int, path: str, *, make: bool = False) -> Generator[tuple[int, str]]:
    """Open the folder that a path lies in, and yield it with the path's last name.

    Args:
        root: The open workspace.
        path: Relative, without ``.`` and ``..``.
        make: Make the folders that are missing.

    Raises:
        OSError: A folder is missing, or is no folder but a link or a file.
    """
    *folders, name = path.split("/")
    if not all((*folders, name)) or {".", ".."} & {*folders, name}:
        raise OSError(f"{path!r} is no path inside the workspace")
    fd = os.dup(root)
    try:
        for folder in folders:
            inner = _enter(fd, folder, make)
            os.close(fd)
            fd = inner
        yield fd, name
    finally:
        os.close(fd)


def _enter(fd: int, folder: str, make: bool) -> int:
    try:
        return os.open(folder, FOLDER, dir_fd=fd)
    except FileNotFoundError:
        if not make:
            raise
        os.mkdir(folder, dir_fd=fd)  # relative to an open folder
        return os.open(folder, FOLDER, dir_fd=fd)
