"""Making a workspace what it was. Writes in the workspace, never through a link.

Each path is reached folder by folder from the open workspace; a file is written beside its place
and renamed over it. What cannot be restored is said, and does not keep the others from it.
"""

import os
import secrets
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from hackamore.core.errors import WorkspaceError
from hackamore.store.checkpoints.folders import open_parent, open_root
from hackamore.store.checkpoints.manifest import Entry, Tree


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did.

    Attributes:
        written: Paths that are again what they were.
        removed: Paths that were not there, and are not there again.
        left: Paths that stayed as they are, and why.
    """

    written: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    left: dict[str, str] = field(default_factory=dict[str, str])


def restore_tree(root: str, now: Tree, then: Tree, paths: Iterable[str], read: "Read") -> Restored:
    """Make `paths` what they were.

    Args:
        root: The workspace's real path.
        now: What it holds.
        then: What it held.
        paths: Paths that differ, as `differing` found them.
        read: Gives the content of a key.

    Raises:
        OSError: The workspace cannot be opened.
    """
    with open_root(root) as fd:
        return _Restorer(fd, now, then, read).restore(sorted(paths))


Read = Callable[[str], bytes]


class _Restorer:
    def __init__(self, root: int, now: Tree, then: Tree, read: Read) -> None:
        self._root = root
        self._now = now
        self._then = then
        self._read = read
        self._done = Restored()

    def restore(self, paths: list[str]) -> Restored:
        for path in reversed(paths):
            if self._in_the_way(path):
                self._try(path, self._remove)
        for path in paths:
            if path in self._then.entries and path not in self._done.left:
                self._try(path, self._write)
        return self._done

    def _in_the_way(self, path: str) -> bool:
        now, then = self._now.entries.get(path), self._then.entries.get(path)
        return now is not None and (then is None or then.kind != now.kind)

    def _try(self, path: str, step: Callable[[str], None]) -> None:
        try:
            step(path)
        except (OSError, WorkspaceError) as error:
            reason = error.strerror if isinstance(error, OSError) else error.message
            self._done.left[path] = reason or str(error)

    def _remove(self, path: str) -> None:
        self._check_kept(path)
        if (then := self._then.entries.get(path)) and then.kind == "file":
            self._read(then.key)
        with open_parent(self._root, path) as (fd, name):
            if self._now.entries[path].kind == "folder":
                os.rmdir(name, dir_fd=fd)  # relative to an open folder
            else:
                os.unlink(name, dir_fd=fd)  # relative to an open folder
        if path not in self._then.entries:
            self._done.removed.append(path)

    def _write(self, path: str) -> None:
        entry = self._then.entries[path]
        self._check_kept(path)
        with open_parent(self._root, path, make=True) as (fd, name):
            if entry.kind == "folder":
                _make_folder(fd, name, entry.mode)
            else:
                self._replace(fd, name, entry)
        self._done.written.append(path)

    def _check_kept(self, path: str) -> None:
        """Make sure that what is there now can be brought back later.

        Raises:
            WorkspaceError: It was not kept whole.
        """
        now = self._now.entries.get(path)
        if now is not None and now.kind == "file":
            self._read(now.key)

    def _replace(self, fd: int, name: str, entry: Entry) -> None:
        draft = f".hackamore-restore-{secrets.token_hex(8)}"
        try:
            if entry.kind == "link":
                os.symlink(entry.key, draft, dir_fd=fd)
            else:
                _write_file(fd, draft, self._read(entry.key), entry.mode)
            os.rename(draft, name, src_dir_fd=fd, dst_dir_fd=fd)  # the same folder
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(draft, dir_fd=fd)  # relative to an open folder
            raise


def _make_folder(fd: int, name: str, mode: int) -> None:
    with suppress(FileExistsError):
        os.mkdir(name, dir_fd=fd)  # relative to an open folder
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    inner = os.open(name, flags, dir_fd=fd)
    try:
        if stat.S_IMODE(os.fstat(inner).st_mode) != mode:
            os.fchmod(inner, mode)
    finally:
        os.close(inner)


def _write_file(fd: int, name: str, data: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(name, flags, 0o600, dir_fd=fd), "wb") as file:
        file.write(data)
        file.flush()
        os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())
