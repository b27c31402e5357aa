"""The holder: one process above each command that outlives it and ends all that it started.

It adopts the command's orphans. When the command's own process has ended, or the worker says
stop, the holder kills what is left below it and only then reports how the command ended. So a
command that goes into the background, starts a new session or ignores signals ends all the same.
"""

import json
import os
import resource
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from hackamore.sandbox.worker.kernel import adopt_orphans, die_with_parent
from hackamore.sandbox.worker.processes import end_descendants, reaped
from hackamore.sandbox.worker.seccomp import install_command_filter

_NOT_STARTED: Final = 127
_NICENESS: Final = 5  # so that the worker still gets its turn when a command fills every core
_WATCHED: Final = {signal.SIGCHLD, signal.SIGTERM}


@dataclass(frozen=True, slots=True)
class CommandLimits:
    """What one process of a command may use; None leaves it as it is.

    Attributes:
        processes: Of the user, in the sandbox (no effect for root).
        file_size: Of each file, in bytes.
    """

    processes: int | None
    file_size: int | None


@dataclass(frozen=True, slots=True)
class Launch:
    """All that a holder needs to start a command."""

    argv: tuple[str, ...]
    folder: int
    environment: Mapping[str, str]
    output: int
    status: int
    limits: CommandLimits
    confined: bool


def hold(launch: Launch) -> NoReturn:
    """Run the command to its end, end its tree, report, exit. Called in a fresh child."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    os.setsid()
    adopt_orphans()
    die_with_parent(signal.SIGTERM)
    command = _start(launch)
    os.close(launch.output)
    status = _wait(command)
    end_descendants()
    os.write(launch.status, json.dumps({"status": status}).encode())
    os._exit(0)


def _start(launch: Launch) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            _become(launch)
        finally:
            os._exit(_NOT_STARTED)
    return pid


def _become(launch: Launch) -> NoReturn:
    """Turn this process into the command."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(launch.output, 1)
    os.dup2(launch.output, 2)
    os.fchdir(launch.folder)
    _limit(launch.limits)
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    if launch.confined:
        os.nice(_NICENESS)
        install_command_filter()
    os.execve(launch.argv[0], launch.argv, launch.environment)  # noqa: S606 - argv[0] is the shell


def _limit(limits: CommandLimits) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limits.processes is not None:
        _lower(resource.RLIMIT_NPROC, limits.processes)
    if limits.file_size is not None:
        _lower(resource.RLIMIT_FSIZE, limits.file_size)


def _lower(kind: int, value: int) -> None:
    """Set a limit for good, never above the one that holds already."""
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def _wait(command: int) -> int | None:
    """Wait for the command; None when told to stop first."""
    while True:
        if signal.sigwait(_WATCHED) == signal.SIGTERM:
            return None
        for pid, status in reaped():
            if pid == command:
                return os.waitstatus_to_exitcode(status)
