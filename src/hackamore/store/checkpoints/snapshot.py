"""Looking at a workspace: what it holds, with contents read only where they may have changed."""

import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from hackamore.core.ignored import Ignore
from hackamore.core.protected import holds_token, may_hold_token
from hackamore.store.checkpoints.folders import FOLDER, open_parent, open_root
from hackamore.store.checkpoints.manifest import Entry, Tree
from hackamore.store.checkpoints.scope import Scope, read_ignore

TOO_LARGE: Final = "left out: too large"
TOO_DEEP: Final = "left out: too many folders deep"
UNREADABLE: Final = "left out: cannot be read"
TOKEN: Final = "left out: holds a token"  # noqa: S105  # words for people, no password
_NOT_THERE: Final = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
_RACY_NS: Final = 2_000_000_000
_MAX_DEPTH: Final = 64
_PERMISSIONS: Final = 0o777
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a checkpoint takes in.

    Attributes:
        file_bytes: Of one file.
        paths: Of what belongs in.
        seconds: Of looking.
        ignored: Paths that do not belong in, and are noted as having been there.
    """

    file_bytes: int = 8 * 1024 * 1024
    paths: int = 50_000
    seconds: float = 15.0
    ignored: int = 20_000


@dataclass(frozen=True, slots=True)
class Before:
    """What is known from the checkpoint before: entries, and when it began to look."""

    entries: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    time_ns: int = 0

    def still(self, path: str, mode: int, stamp: tuple[int, int, int, int]) -> Entry | None:
        """Return the entry of a file that surely has not changed since."""
        known = self.entries.get(path)
        if known is None or known.kind != "file" or (known.mode, known.stamp) != (mode, stamp):
            return None
        return known if max(stamp[1], stamp[2]) < self.time_ns - _RACY_NS else None


class _Enough(Exception):
    """The bounds are reached; what was found so far counts."""


class Snapshot:
    """One look at a workspace."""

    def __init__(
        self, scope: Scope, bounds: Bounds, before: Before, keep: Callable[[bytes], str]
    ) -> None:
        self._scope = scope
        self._bounds = bounds
        self._before = before
        self._keep = keep
        self._entries: dict[str, Entry] = {}
        self._left: dict[str, str] = {}
        self._ignored: set[str] = set()
        self._absent: set[str] = set()
        self._complete = True
        self._deadline = 0.0

    def look(self, root: str, named: Iterable[str]) -> Tree:
        """Return what the workspace holds.

        Args:
            root: Its real path.
            named: Paths that belong in even when git ignores them, and are looked for first.

        Raises:
            OSError: The workspace cannot be opened.
        """
        self._deadline = time.monotonic() + self._bounds.seconds
        with open_root(root) as fd:
            try:
                for path in named:
                    self._add_named(fd, path)
                self._add_folder(fd, "", read_ignore(fd, ".git/info/exclude", ""))
            except _Enough:
                self._complete = False
        return Tree(
            self._entries,
            self._left,
            self._complete,
            frozenset(self._ignored),
            frozenset(self._absent),
        )

    def _add_named(self, root: int, path: str) -> None:
        if self._scope.protected(path):
            return
        try:
            with open_parent(root, path) as (fd, name):
                info = os.stat(name, dir_fd=fd, follow_symlinks=False)
                if not stat.S_ISDIR(info.st_mode):
                    self._add_entry(fd, path, info)
        except OSError as error:
            if error.errno in _NOT_THERE:
                self._absent.add(path)

    def _add_folder(self, fd: int, path: str, ignores: tuple[Ignore, ...]) -> None:
        base = f"{path}/" if path else ""
        ignores += read_ignore(fd, ".gitignore", base)
        for name in sorted(os.listdir(fd)):  # of an open folder
            inner = base + name
            try:
                info = os.stat(name, dir_fd=fd, follow_symlinks=False)
            except OSError:
                continue  # gone meanwhile
            folder = stat.S_ISDIR(info.st_mode)
            if self._scope.left_out(inner, ignores, folder=folder):
                self._note_ignored(inner)
                continue
            self._check_bounds()
            if folder:
                self._enter(fd, inner, info, ignores)
            elif inner not in self._entries:
                self._add_entry(fd, inner, info)

    def _note_ignored(self, path: str) -> None:
        if len(self._ignored) < self._bounds.ignored:
            self._ignored.add(path)
        else:
            self._complete = False

    def _enter(self, fd: int, path: str, info: os.stat_result, ignores: tuple[Ignore, ...]) -> None:
        if path.count("/") >= _MAX_DEPTH:
            self._left[path] = TOO_DEEP
            return
        try:
            inner = os.open(path.rpartition("/")[2], FOLDER, dir_fd=fd)
        except OSError:
            self._left[path] = UNREADABLE
            return
        try:
            self._entries[path] = Entry("folder", info.st_mode & _PERMISSIONS)
            self._add_folder(inner, path, ignores)
        finally:
            os.close(inner)

    def _check_bounds(self) -> None:
        if len(self._entries) >= self._bounds.paths or time.monotonic() > self._deadline:
            raise _Enough

    def _add_entry(self, fd: int, path: str, info: os.stat_result) -> None:
        name = path.rpartition("/")[2]
        try:
            if stat.S_ISLNK(info.st_mode):
                self._entries[path] = Entry("link", key=os.readlink(name, dir_fd=fd))
            elif stat.S_ISREG(info.st_mode):
                self._add_file(fd, name, path)
        except FileNotFoundError:
            return  # gone meanwhile
        except OSError:
            self._left[path] = UNREADABLE

    def _add_file(self, folder: int, name: str, path: str) -> None:
        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
        mode, stamp = info.st_mode & _PERMISSIONS, _stamp(info)
        if known := self._before.still(path, mode, stamp):
            self._entries[path] = known
            return
        if info.st_size > self._bounds.file_bytes:
            self._left[path] = TOO_LARGE
            return
        fd = os.open(name, _FILE, dir_fd=folder)
        with os.fdopen(fd, "rb") as file:
            info = os.fstat(fd)
            data = file.read(self._bounds.file_bytes + 1)
        if not stat.S_ISREG(info.st_mode):
            return
        if len(data) > self._bounds.file_bytes:
            self._left[path] = TOO_LARGE
        elif may_hold_token(path) and holds_token(path, data):
            self._left[path] = TOKEN
        else:
            key = self._keep(data)
            self._entries[path] = Entry("file", info.st_mode & _PERMISSIONS, key, _stamp(info))


def _stamp(info: os.stat_result) -> tuple[int, int, int, int]:
    return (info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)
