"""Walking the workspace: no hidden paths, nothing that git ignores, no way out by links or races.

Each folder is opened relative to the one above it without following links, so a folder that is
swapped for a link during the walk is skipped.
"""

import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from hackamore.core.ignored import Ignore, is_ignored
from hackamore.core.protected import PathMatcher
from hackamore.sandbox.worker.paths import Root

Kind = Literal["file", "folder", "link", "other"]

SKIPPED: Final = frozenset(
    (
        *(".git", ".hg", ".svn", ".jj", "node_modules", ".venv", "venv", "__pycache__"),
        *(".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"),
        *(".gradle", ".terraform", ".next", ".nuxt", ".turbo", ".cache", ".eggs"),
    )
)
"""Folders that no recursive listing or search enters: made by tools, not by people."""

_MAX_DEPTH: Final = 64
_IGNORE_FILE_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Found:
    """One thing in the tree; `size` is 0 for anything but files."""

    path: str
    kind: Kind
    size: int


class OutOfTime(Exception):
    """The walk or search reached its deadline; what was found so far counts."""


def walk(root: Root, path: str, *, recursive: bool, deadline: float) -> Iterator[Found]:
    """Yield what lies in a folder, by name; when recursive also below it, without ignored things.

    Raises:
        OutOfTime: `deadline` (monotonic seconds) passed.
        Refusal: `path` is outside, hidden, missing or no folder.
    """
    with root.open_folder(path) as (fd, resolved):
        walker = _Walker(root, recursive, deadline)
        yield from walker.below(fd, resolved, walker.ignores_above(resolved) if recursive else ())


class _Walker:
    def __init__(self, root: Root, recursive: bool, deadline: float) -> None:
        self._root = root
        self._recursive = recursive
        self._deadline = deadline

    def ignores_above(self, path: str) -> tuple[Ignore, ...]:
        """Collect the ignore files of the folders above `path`."""
        found = _read_ignore(self._root.fd, ".git/info/exclude", "")
        parts = path.split("/") if path else []
        for depth in range(len(parts)):
            base = "".join(f"{part}/" for part in parts[:depth])
            found += _read_ignore(self._root.fd, f"{base}.gitignore", base)
        return found

    def below(self, fd: int, path: str, ignores: tuple[Ignore, ...]) -> Iterator[Found]:
        base = f"{path}/" if path else ""
        if self._recursive:
            ignores += _read_ignore(fd, ".gitignore", base)
        for found in self._entries(fd, base):
            if self._left_out(found, ignores):
                continue
            yield found
            if self._recursive and found.kind == "folder":
                yield from self._enter(fd, found, ignores)

    def _enter(self, fd: int, folder: Found, ignores: tuple[Ignore, ...]) -> Iterator[Found]:
        if folder.path.count("/") >= _MAX_DEPTH:
            return
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
        try:
            inner = os.open(folder.path.rpartition("/")[2], flags, dir_fd=fd)
        except OSError:
            return  # gone, swapped or forbidden meanwhile
        try:
            yield from self.below(inner, folder.path, ignores)
        finally:
            os.close(inner)

    def _entries(self, fd: int, base: str) -> list[Found]:
        if time.monotonic() > self._deadline:
            raise OutOfTime
        found: list[Found] = []
        with os.scandir(fd) as entries:
            for entry in entries:
                kind = _kind(entry)
                size = _size(entry) if kind == "file" else 0
                found.append(Found(base + entry.name, kind, size))
        return sorted(found, key=lambda item: item.path)

    def _left_out(self, found: Found, ignores: tuple[Ignore, ...]) -> bool:
        folder = found.kind == "folder"
        if self._root.hidden.judge_entry(found.path, folder=folder):
            return True
        if not self._recursive:
            return False
        if folder and found.path.rpartition("/")[2] in SKIPPED:
            return True
        return is_ignored(found.path, ignores, folder=folder)


def _read_ignore(folder: int, name: str, base: str) -> tuple[Ignore, ...]:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        fd = os.open(name, flags, dir_fd=folder)
    except OSError:
        return ()
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return ()
        text = os.read(fd, _IGNORE_FILE_BYTES).decode("utf-8", "replace")
    finally:
        os.close(fd)
    return (Ignore(base, PathMatcher(text.splitlines())),)


def _kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0
