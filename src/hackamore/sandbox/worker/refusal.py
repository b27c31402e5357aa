"""Refusals: what the worker answers instead of a result, and how system errors become one."""

import errno
from typing import Final

from hackamore.core.codes import Code

_CODES: Final = {
    errno.EXDEV: Code.PATH_OUTSIDE,
    errno.ELOOP: Code.PATH_OUTSIDE,
    errno.ENOENT: Code.NOT_FOUND,
    errno.ENOTDIR: Code.NOT_FOUND,
    errno.EISDIR: Code.NOT_A_FILE,
    errno.ENXIO: Code.NOT_A_FILE,
    errno.ENODEV: Code.NOT_A_FILE,
    errno.EACCES: Code.PERMISSION_DENIED,
    errno.EPERM: Code.PERMISSION_DENIED,
    errno.EROFS: Code.PERMISSION_DENIED,
    errno.EBUSY: Code.PERMISSION_DENIED,
    errno.ENAMETOOLONG: Code.INVALID_REQUEST,
    errno.EINVAL: Code.INVALID_REQUEST,
    errno.ENOSPC: Code.LIMIT_EXCEEDED,
    errno.EDQUOT: Code.LIMIT_EXCEEDED,
    errno.EFBIG: Code.LIMIT_EXCEEDED,
}
_WORDS: Final = {
    Code.PATH_OUTSIDE: "leads outside the workspace",
    Code.NOT_FOUND: "is not a folder",
    Code.NOT_A_FILE: "is not a regular file",
    Code.PERMISSION_DENIED: "may not be touched",
    Code.INVALID_REQUEST: "is no valid path",
    Code.LIMIT_EXCEEDED: "does not fit: the disk or a limit is full",
}


class Refusal(Exception):
    """The operation is not done; `code` and the words go to whoever asked."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def refusal(error: OSError, path: str) -> Refusal:
    """Say a system error about `path` (as it was given) in our own words."""
    code = _CODES.get(error.errno or 0)
    if code is None:
        return Refusal(Code.INTERNAL, f"{path}: {error.strerror}.")
    if error.errno == errno.ENOENT:
        return Refusal(code, f"{path} does not exist.")
    return Refusal(code, f"{path} {_WORDS[code]}.")
