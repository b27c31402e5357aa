"""System calls that the standard library does not offer: openat2 and prctl, by ctypes."""

import ctypes
import errno
import os
import re
import struct
from typing import Final

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_SYS_OPENAT2: Final = 437  # the same number on x86_64 and aarch64
_RESOLVE_NO_MAGICLINKS: Final = 0x02
_RESOLVE_BENEATH: Final = 0x08
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_SET_CHILD_SUBREAPER: Final = 36
_COUNTED_PER_NAMESPACE: Final = (5, 14)


def open_beneath(root: int, path: str, flags: int, mode: int = 0) -> int:
    """Open `path` so that neither links nor ``..`` nor races lead out of the folder `root`.

    Raises:
        OSError: As open(2); EXDEV when the path leads outside, ENOSYS on kernels before 5.6.
    """
    how = struct.pack("QQQ", flags | os.O_CLOEXEC, mode, _RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS)
    name = os.fsencode(path)
    while True:
        fd = _LIBC.syscall(_SYS_OPENAT2, root, name, how, len(how))
        if fd >= 0:
            return int(fd)
        number = ctypes.get_errno()
        if number not in (errno.EAGAIN, errno.EINTR):
            raise OSError(number, os.strerror(number))


def counts_processes_per_namespace() -> bool:
    """Tell whether the limit of processes counts only those in the same user namespace.

    Before Linux 5.14 it counts all of the user's, and a busy desktop is over any useful limit.
    """
    found = re.match(r"(\d+)\.(\d+)", os.uname().release)
    return found is not None and (int(found[1]), int(found[2])) >= _COUNTED_PER_NAMESPACE


def prctl(option: int, argument: int, pointer: object = None) -> None:
    """Change a property of this process.

    Raises:
        OSError: The kernel refused.
    """
    unused = ctypes.c_ulong(0)
    second = ctypes.c_ulong(0) if pointer is None else pointer
    if _LIBC.prctl(option, ctypes.c_ulong(argument), second, unused, unused) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose own parent dies."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)


def forbid_inspection() -> None:
    """Keep processes of the same user out of this one's memory and descriptors."""
    prctl(_PR_SET_DUMPABLE, 0)


def forbid_new_privileges() -> None:
    """Make set-user-id programs run without their privilege."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent(signal_number: int) -> None:
    """Be sent `signal_number` when the parent dies."""
    prctl(_PR_SET_PDEATHSIG, signal_number)
