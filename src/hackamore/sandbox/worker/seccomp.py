"""System calls that nothing in the sandbox needs and attacks begin with, refused by seccomp.

The filter is a small BPF program: refuse foreign architectures, then compare the number of the
call with a table, for some calls also an argument. It is inherited by every command and can only
be tightened.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hackamore.sandbox.worker.kernel import forbid_new_privileges, prctl

_PR_SET_SECCOMP: Final = 22
_MODE_FILTER: Final = 2

_KILL: Final = 0x80000000
_ERRNO: Final = 0x00050000
_ALLOW: Final = 0x7FFF0000

_LOAD: Final = 0x20
_EQUAL: Final = 0x15
_AT_LEAST: Final = 0x35
_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06

_NUMBER_AT: Final = 0
_ARCHITECTURE_AT: Final = 4
_ARGUMENTS_AT: Final = 16
_X32_BIT: Final = 0x40000000

_NEW_NAMESPACES: Final = 0x7E020000
_SET_ID_BITS: Final = 0o6000
_SOCKET_FAMILIES: Final = (2, 10, 16)  # IPv4, IPv6, and netlink, which lists interfaces


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of one architecture.

    Attributes:
        audit: The architecture's word in the kernel's audit interface.
        refused: Calls answered with EPERM.
        absent: Calls answered with ENOSYS, so that libraries fall back to older ones.
        clone: Refused when it makes namespaces.
        socket: Refused for families other than IP and netlink.
        modes: For each call that sets permission bits, the argument that holds them.
        openers: For each call that creates when told to, the arguments of flags and bits.
    """

    audit: int
    refused: tuple[int, ...]
    absent: tuple[int, ...]
    clone: int
    socket: int
    modes: Mapping[int, int]
    openers: Mapping[int, tuple[int, int]]


_IO_URING: Final = (425, 426, 427)
_CLONE3: Final = 435
_NEW_MOUNT_CALLS: Final = (428, 429, 430, 431, 432, 433, 442)
_PIDFD_GETFD: Final = 438
OPENAT2: Final = 437

TABLES: Final[Mapping[str, Table]] = {
    "x86_64": Table(
        audit=0xC000003E,
        refused=(
            *(101, 310, 311, _PIDFD_GETFD),  # ptrace, process_vm_readv and writev
            *(155, 161, 165, 166, *_NEW_MOUNT_CALLS),  # pivot_root, chroot, mount, umount2
            *(272, 308),  # unshare, setns
            *(248, 249, 250),  # add_key, request_key, keyctl
            *(298, 321, 323),  # perf_event_open, bpf, userfaultfd
            *(163, 167, 169, 179),  # acct, swapon, reboot, quotactl
            *(175, 176, 246, 304, 313, 320),  # modules, kexec, open_by_handle_at
        ),
        absent=(*_IO_URING, _CLONE3),
        clone=56,
        socket=41,
        modes={90: 1, 91: 1, 268: 2, 452: 2, 85: 1, 133: 1, 259: 2},
        openers={2: (1, 2), 257: (2, 3)},
    ),
    "aarch64": Table(
        audit=0xC00000B7,
        refused=(
            *(117, 270, 271, _PIDFD_GETFD),
            *(41, 51, 40, 39, *_NEW_MOUNT_CALLS),
            *(97, 268),
            *(217, 218, 219),
            *(241, 280, 282),
            *(89, 224, 142, 60),
            *(105, 106, 104, 265, 273, 294),
        ),
        absent=(*_IO_URING, _CLONE3),
        clone=220,
        socket=198,
        modes={52: 1, 53: 2, 452: 2, 33: 2},
        openers={56: (2, 3)},
    ),
}


def install_worker_filter() -> bool:
    """Refuse the calls of the table from now on; False on an architecture without a table."""
    forbid_new_privileges()
    table = TABLES.get(platform.machine())
    if table is None:
        return False
    _install(_program(table))
    return True


def install_command_filter() -> None:
    """Refuse also openat2, whose flags a filter cannot see; only commands, not the worker."""
    table = TABLES.get(platform.machine())
    if table is not None:
        _install([*_prologue(table), *_refuse(OPENAT2, errno.ENOSYS), _statement(_RETURN, _ALLOW)])


def _install(program: list[bytes]) -> None:
    code = ctypes.create_string_buffer(b"".join(program))
    header = ctypes.create_string_buffer(
        struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    )
    prctl(_PR_SET_SECCOMP, _MODE_FILTER, header)


def _program(table: Table) -> list[bytes]:
    return [
        *_prologue(table),
        *(step for number in table.refused for step in _refuse(number, errno.EPERM)),
        *(step for number in table.absent for step in _refuse(number, errno.ENOSYS)),
        *_when(table.clone, [*_refuse_bits(0, _NEW_NAMESPACES)]),
        *_when(table.socket, [*_refuse_other_families()]),
        *(s for call, arg in table.modes.items() for s in _when(call, [*_refuse_bits(arg)])),
        *(s for call, args in table.openers.items() for s in _when(call, [*_refuse_made(*args)])),
        _statement(_RETURN, _ALLOW),
    ]


def _prologue(table: Table) -> Iterator[bytes]:
    yield _statement(_LOAD, _ARCHITECTURE_AT)
    yield _jump(_EQUAL, table.audit, 1, 0)
    yield _statement(_RETURN, _KILL)
    yield _statement(_LOAD, _NUMBER_AT)
    yield _jump(_AT_LEAST, _X32_BIT, 0, 1)
    yield _statement(_RETURN, _ERRNO | errno.ENOSYS)


def _refuse(number: int, error: int) -> Iterator[bytes]:
    yield _jump(_EQUAL, number, 0, 1)
    yield _statement(_RETURN, _ERRNO | error)


def _when(number: int, steps: list[bytes]) -> Iterator[bytes]:
    """Do `steps`, which look at arguments, for one call; then look at the number again."""
    yield _jump(_EQUAL, number, 0, len(steps) + 1)
    yield from steps
    yield _statement(_LOAD, _NUMBER_AT)


def _refuse_bits(argument: int, bits: int = _SET_ID_BITS) -> Iterator[bytes]:
    yield _statement(_LOAD, _argument(argument))
    yield _jump(_ANY_BIT, bits, 0, 1)
    yield _statement(_RETURN, _ERRNO | errno.EPERM)


def _refuse_made(flags: int, mode: int) -> Iterator[bytes]:
    """Refuse set-id bits where the flags say that the file is to be made."""
    steps = [*_refuse_bits(mode)]
    yield _statement(_LOAD, _argument(flags))
    yield _jump(_ANY_BIT, os.O_CREAT | (os.O_TMPFILE & ~os.O_DIRECTORY), 0, len(steps))
    yield from steps


def _refuse_other_families() -> Iterator[bytes]:
    yield _statement(_LOAD, _argument(0))
    for index, family in enumerate(_SOCKET_FAMILIES):
        yield _jump(_EQUAL, family, len(_SOCKET_FAMILIES) - index, 0)
    yield _statement(_RETURN, _ERRNO | errno.EACCES)


def _argument(index: int) -> int:
    return _ARGUMENTS_AT + 8 * index  # the low half; both architectures are little-endian


def _statement(code: int, value: int) -> bytes:
    return _jump(code, value, 0, 0)


def _jump(code: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
