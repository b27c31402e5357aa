"""Paths beneath the root: opened by the kernel's rules, then judged by where they really lead."""

import contextlib
import errno
import os
from collections.abc import Generator
from dataclasses import dataclass

from hackamore.core.codes import Code
from hackamore.core.protected import TOOL_READONLY, PathMatcher, SandboxRules
from hackamore.sandbox.worker.kernel import open_beneath
from hackamore.sandbox.worker.refusal import Refusal, refusal

_FOLDER = os.O_PATH | os.O_DIRECTORY


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file is, or will be: an open folder and a name in it."""

    folder: int
    name: str
    path: str


class Root:
    """The workspace's folder, held open, with its rules."""

    def __init__(self, root: str, rules: SandboxRules) -> None:
        """Open the root.

        Raises:
            Refusal: The kernel has no openat2.
        """
        self.path = root
        self.fd = os.open(root, _FOLDER | os.O_CLOEXEC)
        _require_openat2(self.fd)
        self.hidden = PathMatcher(rules.hidden)
        self._readonly = PathMatcher((*rules.readonly, *TOOL_READONLY))

    @contextlib.contextmanager
    def open_file(self, path: str) -> Generator[tuple[int, str]]:
        """Open an existing file for reading; yield its descriptor and resolved path.

        Never blocks: a FIFO or device opens at once and is the caller's to refuse.

        Raises:
            Refusal: Outside, hidden or missing.
        """
        self.refuse_hidden(path)
        fd = self._open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            yield fd, self._resolved(fd, path)
        finally:
            os.close(fd)

    @contextlib.contextmanager
    def open_folder(self, path: str) -> Generator[tuple[int, str]]:
        """Open an existing folder; yield its descriptor and resolved path ("" for the root).

        Raises:
            Refusal: Outside, hidden, missing or no folder.
        """
        self.refuse_hidden(path)
        fd = self._open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield fd, self._resolved(fd, path)
        finally:
            os.close(fd)

    @contextlib.contextmanager
    def open_place(self, path: str, *, create: bool) -> Generator[Place]:
        """Open the folder in which `path` is written, following links inside the root.

        Raises:
            Refusal: Outside, hidden, read-only, or (without `create`) no such folder.
        """
        self._refuse_written(path)
        target = self._target(path)
        self._refuse_written(target)
        parent, _, name = target.rpartition("/")
        fd = self._open_parent(parent or ".", path, create=create)
        try:
            resolved = "/".join(part for part in (self._resolved(fd, path), name) if part)
            self._refuse_written(resolved)
            _refuse_dangling(fd, name, path)
            yield Place(fd, name, resolved)
        finally:
            os.close(fd)

    def refuse_hidden(self, path: str) -> None:
        """Refuse a path on the hidden list.

        Raises:
            Refusal: It is.
        """
        if self.hidden.matches(path):
            raise Refusal(
                Code.PERMISSION_DENIED, f"{path} is hidden: it may hold secrets or is ignored."
            )

    def _refuse_written(self, path: str) -> None:
        self.refuse_hidden(path)
        if self._readonly.matches(path):
            raise Refusal(
                Code.PERMISSION_DENIED,
                f"{path} is read-only: other programs execute or trust it.",
            )

    def _target(self, path: str) -> str:
        """Return where `path` leads when it exists, else the path itself."""
        if path.endswith("/") or os.path.basename(path) in ("", ".", ".."):  # noqa: PTH119
            raise Refusal(Code.NOT_A_FILE, f"{path} names a folder, not a file.")
        try:
            fd = open_beneath(self.fd, path, os.O_PATH)
        except FileNotFoundError:
            return path
        except OSError as error:
            raise refusal(error, path) from error
        try:
            return self._resolved(fd, path)
        finally:
            os.close(fd)

    def _open(self, path: str, flags: int) -> int:
        try:
            return open_beneath(self.fd, path, flags)
        except OSError as error:
            raise refusal(error, path) from error

    def _open_parent(self, parent: str, path: str, *, create: bool) -> int:
        try:
            return open_beneath(self.fd, parent, _FOLDER)
        except FileNotFoundError:
            if not create:
                raise Refusal(Code.NOT_FOUND, f"{path} does not exist.") from None
            return self._make_parents(parent, path)
        except OSError as error:
            raise refusal(error, path) from error

    def _make_parents(self, parent: str, path: str) -> int:
        """Make the missing folders one by one, each beneath the root."""
        made: list[str] = []
        for name in parent.split("/"):
            above = "/".join(made) or "."
            made.append(name)
            try:
                fd = open_beneath(self.fd, above, _FOLDER)
                try:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(name or ".", 0o777, dir_fd=fd)
                finally:
                    os.close(fd)
            except OSError as error:
                raise refusal(error, path) from error
        return self._open(parent, _FOLDER)

    def _resolved(self, fd: int, given: str) -> str:
        """Return the path of an open descriptor, relative to the root, and judge it.

        Raises:
            Refusal: It is on the hidden list, or was moved away meanwhile.
        """
        real = os.readlink(f"/proc/self/fd/{fd}")  # noqa: PTH115 - a descriptor, not a path
        if real == self.path:
            return ""
        prefix = self.path.rstrip("/") + "/"
        if not real.startswith(prefix):
            raise Refusal(Code.PATH_OUTSIDE, f"{given} leads outside the workspace.")
        relative = real.removeprefix(prefix)
        self.refuse_hidden(relative)
        return relative


def _require_openat2(root: int) -> None:
    try:
        os.close(open_beneath(root, ".", _FOLDER))
    except OSError as error:
        raise Refusal(
            Code.SANDBOX_UNAVAILABLE,
            f"This system does not offer openat2 ({error.strerror}), which keeps files inside the "
            "workspace. It is there since Linux 5.6; a container may filter it.",
        ) from error


def _refuse_dangling(folder: int, name: str, path: str) -> None:
    """Refuse a link whose target does not exist: writing would replace the link or leave."""
    try:
        target = os.readlink(name, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENOENT):
            return
        raise refusal(error, path) from error
    code = Code.PATH_OUTSIDE if target.startswith("/") else Code.NOT_FOUND
    raise Refusal(code, f"{path} is a link to something that does not exist.")
