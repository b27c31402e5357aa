"""Watching what all commands together use: processes and memory, summed over the sandbox.

Limits of single processes do not bound a tree of them, and the kernel's own limit of processes
does not bind root.
"""

from dataclasses import dataclass
from typing import Final

from hackamore.sandbox.worker.processes import descendants, resident_bytes

SECONDS: Final = 0.1
"""How often to look."""


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """What the tree of one command may use; memory in bytes."""

    processes: int
    memory: int


def excess(ancestor: int, limits: TreeLimits) -> str | None:
    """Say which limit the processes below `ancestor` are over, or None."""
    below = descendants(ancestor)
    if len(below) > limits.processes:
        return f"more than {limits.processes} processes"
    if sum(resident_bytes(pid) for pid in below) > limits.memory:
        return f"more than {limits.memory // 1024**2} MiB of memory"
    return None
