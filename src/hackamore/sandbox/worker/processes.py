"""Families of processes: who descends from whom, and how to end them all."""

import contextlib
import os
import signal
from collections.abc import Collection, Iterator
from typing import Final

_STEP_SECONDS: Final = 0.005


def parents() -> dict[int, int]:
    """Return the parent of every process that can be seen."""
    found: dict[int, int] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - names are enough, and quicker
        if name.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError):
                found[int(name)] = _parent(name)
    return found


def descendants(ancestor: int) -> list[int]:
    """Return all processes below `ancestor`, nearest first."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents().items():
        children.setdefault(parent, []).append(pid)
    found = list(children.get(ancestor, ()))
    for pid in found:  # grows while we walk
        found += children.get(pid, ())
    return found


def end_descendants() -> None:
    """Kill everything below this process until nothing is left.

    The process must have adopted its orphans: then nothing can escape by a double fork, and
    "no children" means "no descendants".
    """
    while True:
        for pid in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not any_child_left():
            return
        signal.sigtimedwait({signal.SIGCHLD}, _STEP_SECONDS)


def end_others(keep: Collection[int]) -> None:
    """Kill every child that is not in `keep`, with all below it."""
    while True:
        strays = [pid for pid, parent in parents().items() if parent == os.getpid()]
        strays = [pid for pid in strays if pid not in keep]
        if not strays or not any_child_left():
            return
        for stray in strays:
            for pid in (stray, *descendants(stray)):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
        signal.sigtimedwait({signal.SIGCHLD}, _STEP_SECONDS)


def end_everything_but_me() -> bool:
    """Kill all processes of this sandbox at once, so that none can fork meanwhile.

    Returns:
        False, with nothing done, when this is not the process table of a sandbox.
    """
    with open("/proc/1/comm", encoding="ascii", errors="replace") as file:  # noqa: PTH123
        if file.read().strip() != "bwrap" or os.getppid() != 1:
            return False
    os.kill(-1, signal.SIGKILL)
    return True


def any_child_left() -> bool:
    """Reap what has ended; tell whether a child is still there."""
    try:
        for _ in reaped():
            pass
    except ChildProcessError:
        return False
    return True


def reaped() -> Iterator[tuple[int, int]]:
    """Yield (pid, wait status) of children that have ended.

    Raises:
        ChildProcessError: There are no children at all.
    """
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        yield pid, status


def resident_bytes(pid: int) -> int:
    """Return the anonymous memory of a process, in bytes; 0 when it is gone."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:  # noqa: PTH123
            fields = file.read().split()
        return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _parent(pid: str) -> int:
    """Read field 4 of stat; the name before it may hold spaces and brackets."""
    with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - the worker does without pathlib
        return int(file.read().rpartition(b")")[2].split()[1])
