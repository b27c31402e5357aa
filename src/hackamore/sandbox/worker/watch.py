"""Watching what all commands together use: processes and memory, summed over the sandbox.

Limits of single processes do not bound a tree of them, and the kernel's own limit of processes
does not bind root.
"""

import os
from dataclasses import dataclass
from typing import Final

from hackamore.sandbox.worker.processes import descendants, resident_bytes

SECONDS: Final = 0.1
"""How often to look."""

_OUR_OWN: Final = 8  # init, worker, a holder or two, jobs


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """What the tree of one command may use; memory in bytes."""

    processes: int
    memory: int


def crowded(limits: TreeLimits) -> bool:
    """Tell whether the sandbox holds more processes than a command may have; quick.

    Counts all that can be seen, so it is of use only in a process table of one's own.
    """
    names = os.listdir("/proc")  # noqa: PTH208 - names are enough, and quicker
    return sum(name.isdecimal() for name in names) > limits.processes + _OUR_OWN


def too_many(limits: TreeLimits) -> str:
    """Say that there are too many processes."""
    return f"more than {limits.processes} processes"


def excess(ancestor: int, limits: TreeLimits) -> str | None:
    """Say which limit the processes below `ancestor` are over, or None."""
    below = descendants(ancestor)
    if len(below) > limits.processes:
        return too_many(limits)
    if sum(resident_bytes(pid) for pid in below) > limits.memory:
        return f"more than {limits.memory // 1024**2} MiB of memory"
    return None
