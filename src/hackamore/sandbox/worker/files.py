"""Reading, writing and removing one file beneath the root."""

import contextlib
import hashlib
import os
import stat
import time
from dataclasses import dataclass
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.protected import holds_token
from hackamore.sandbox.worker.paths import Place, Root
from hackamore.sandbox.worker.refusal import Refusal, refusal

_CHUNK: Final = 1024 * 1024
_READ_SECONDS: Final = 2.5
_NEW_FILE_MODE: Final = 0o666
_PERMISSIONS: Final = 0o777


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it was read."""

    path: str
    data: bytes
    mode: int


def read_file(root: Root, path: str, max_bytes: int) -> Content:
    """Read a regular file whole.

    Raises:
        Refusal: Not allowed, not there, not a regular file, or longer than `max_bytes`.
    """
    with root.open_file(path) as (fd, resolved):
        status = _regular(fd, path)
        if status.st_size > max_bytes:
            raise _too_large(path, max_bytes)
        data = _read_all(fd, path, max_bytes)
        if holds_token(resolved, data):
            raise Refusal(Code.PERMISSION_DENIED, f"{path} is hidden: it holds a token.")
        return Content(resolved, data, status.st_mode & _PERMISSIONS)


def write_file(root: Root, path: str, data: bytes, expected: str | None) -> str:
    """Replace a file atomically, if it still has the SHA-256 `expected` (None: no file).

    Returns:
        The resolved path.

    Raises:
        Refusal: Not allowed, or the file changed meanwhile.
    """
    with root.open_place(path, create=True) as place:
        try:
            _replace(place, path, data, expected)
        except OSError as error:
            raise refusal(error, path) from error
        return place.path


def remove_file(root: Root, path: str, expected: str) -> str:
    """Remove a file that still has the SHA-256 `expected`; return its resolved path.

    Raises:
        Refusal: Not allowed, not there, or changed meanwhile.
    """
    with root.open_place(path, create=False) as place:
        try:
            _compare(place, path, expected)
            os.unlink(place.name, dir_fd=place.folder)
        except OSError as error:
            raise refusal(error, path) from error
        return place.path


def _replace(place: Place, path: str, data: bytes, expected: str | None) -> None:
    mode = _compare(place, path, expected)
    temporary = f".{place.name[:100]}.{os.urandom(4).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    fd = os.open(temporary, flags, _NEW_FILE_MODE, dir_fd=place.folder)
    try:
        try:
            _write_all(fd, data)
            if mode is not None:
                os.fchmod(fd, mode)
            os.fsync(fd)
        finally:
            os.close(fd)
        _compare(place, path, expected)
        os.rename(temporary, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=place.folder)
        raise


def _compare(place: Place, path: str, expected: str | None) -> int | None:
    """Check that the file is what the caller believes; return its permission bits."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY | os.O_CLOEXEC
    try:
        fd = os.open(place.name, flags, dir_fd=place.folder)
    except FileNotFoundError:
        if expected is None:
            return None
        raise Refusal(Code.STALE_SNAPSHOT, f"{path} was removed since it was read.") from None
    try:
        status = _regular(fd, path)
        if expected is None:
            raise Refusal(Code.STALE_SNAPSHOT, f"{path} was made by someone else meanwhile.")
        if _digest(fd) != expected:
            raise Refusal(Code.STALE_SNAPSHOT, f"{path} changed since it was read.")
        return status.st_mode & _PERMISSIONS
    finally:
        os.close(fd)


def _regular(fd: int, path: str) -> os.stat_result:
    status = os.fstat(fd)
    if stat.S_ISDIR(status.st_mode):
        raise Refusal(Code.NOT_A_FILE, f"{path} is a folder.")
    if not stat.S_ISREG(status.st_mode):
        raise Refusal(Code.NOT_A_FILE, f"{path} is a device, pipe or socket, not a file.")
    return status


def _read_all(fd: int, path: str, max_bytes: int) -> bytes:
    """Read to the end; a file that grows past the limit or for too long is refused."""
    deadline = time.monotonic() + _READ_SECONDS
    data = bytearray()
    while chunk := os.read(fd, _CHUNK):
        data += chunk
        if len(data) > max_bytes:
            raise _too_large(path, max_bytes)
        if time.monotonic() > deadline:
            raise Refusal(Code.TIMEOUT, f"Reading {path} took too long.")
    return bytes(data)


def _too_large(path: str, max_bytes: int) -> Refusal:
    return Refusal(Code.FILE_TOO_LARGE, f"{path} is larger than {max_bytes:,} bytes.")


def _digest(fd: int) -> str:
    digest = hashlib.sha256()
    deadline = time.monotonic() + _READ_SECONDS
    while chunk := os.read(fd, _CHUNK):
        digest.update(chunk)
        if time.monotonic() > deadline:
            raise Refusal(Code.TIMEOUT, "Comparing the file took too long.")
    return digest.hexdigest()


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
