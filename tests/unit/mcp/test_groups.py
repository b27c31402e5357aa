"""The guard of the process groups: letting it go takes no time, and leaves nothing."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hackamore.mcp.groups import Groups

pytestmark = pytest.mark.req("MCP-11")

_PATIENCE = 10.0


def _children() -> set[int]:
    found: set[int] = set()
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # a thread may end meanwhile
            found.update(map(int, (thread / "children").read_text().split()))
    return found


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def _with_guard() -> tuple[Groups, subprocess.Popen[bytes], int]:
    """Return groups with one process in them, and the guard's process id."""
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    before, groups = _children(), Groups()
    groups.add(process.pid)
    (guard,) = _children() - before
    return groups, process, guard


def test_nobody_waits_for_the_end_of_the_guard_and_it_leaves_no_zombie() -> None:
    groups, process, guard = _with_guard()
    os.kill(guard, signal.SIGSTOP)
    removing = threading.Thread(target=groups.remove, args=(process.pid,), daemon=True)
    removing.start()
    removing.join(_PATIENCE / 2)
    waited = removing.is_alive()
    os.kill(guard, signal.SIGCONT)
    process.kill()
    process.wait()
    assert not waited
    _until(lambda: guard not in _children())


def test_a_guard_that_died_is_replaced_and_leaves_no_zombie() -> None:
    groups, process, guard = _with_guard()
    os.kill(guard, signal.SIGKILL)
    os.waitid(os.P_PID, guard, os.WEXITED | os.WNOWAIT)
    groups.add(process.pid)
    _until(lambda: guard not in _children())
    groups.remove(process.pid)
    process.kill()
    process.wait()
