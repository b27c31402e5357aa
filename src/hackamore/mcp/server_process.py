"""A server's process: started in a group of its own, and ended with everything in it."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hackamore.core.errors import ServerUnavailable
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.groups import GROUPS
from hackamore.mcp.surroundings import server_environment

_END_GRACE: Final = 0.7
_TERM_GRACE: Final = 0.8
_KILL_GRACE: Final = 2.0


@dataclass(frozen=True, slots=True)
class Pipes:
    """Our ends of a server's pipes: non-blocking descriptors."""

    stdin: int
    stdout: int
    stderr: int


class ServerProcess:
    """One running server. It must be stopped in the loop in which it was started."""

    def __init__(self, process: subprocess.Popen[bytes], pipes: Pipes) -> None:
        self._process = process
        self._exited = asyncio.get_running_loop().create_future()
        self.pipes = pipes
        GROUPS.add(process.pid)
        self._watch()

    @property
    def pid(self) -> int:
        """Its process id, which is also its group's."""
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return self._process.returncode

    async def exited(self) -> None:
        """Wait until it has ended."""
        await asyncio.shield(self._exited)

    async def stop(self) -> None:
        """End it and its whole group; its stdin has been closed before. Takes 4 s at most."""
        for grace, sign in ((_END_GRACE, signal.SIGTERM), (_TERM_GRACE, signal.SIGKILL)):
            if await self._ends_within(grace):
                break
            self._signal(sign)
        await self._ends_within(_KILL_GRACE)
        GROUPS.remove(self.pid)

    async def _ends_within(self, seconds: float) -> bool:
        done, _ = await asyncio.wait({self._exited}, timeout=seconds)
        return bool(done)

    def _watch(self) -> None:
        """Learn of the end before the process id can be given to another one."""
        loop = asyncio.get_running_loop()
        if not hasattr(os, "pidfd_open"):
            waiting = loop.run_in_executor(None, self._process.wait)
            waiting.add_done_callback(lambda _: self._reap())
            return
        descriptor = os.pidfd_open(self.pid)

        def ended() -> None:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            self._reap()

        loop.add_reader(descriptor, ended)

    def _reap(self) -> None:
        """Kill what the server left in its group, while its id still names that group."""
        self._signal(signal.SIGKILL)
        self._process.wait()
        if not self._exited.done():
            self._exited.set_result(None)

    def _signal(self, sign: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, sign)


def start_process(
    entry: ServerEntry, variables: Mapping[str, str], workspace: str | None
) -> ServerProcess:
    """Start `entry`'s command.

    Raises:
        ServerUnavailable: There is no such command, or it cannot be started.
    """
    environment = server_environment(variables, entry.env)
    command = shutil.which(entry.command, path=environment.get("PATH")) or entry.command
    ours: list[int] = []
    theirs: list[int] = []
    try:
        _pipes_into(ours, theirs)
        process = subprocess.Popen(  # noqa: S603  # what the person configured
            [command, *entry.args],
            stdin=theirs[0],
            stdout=theirs[1],
            stderr=theirs[2],
            env=environment,
            cwd=entry.cwd or workspace,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        for descriptor in ours:
            os.close(descriptor)
        raise ServerUnavailable(
            f"The MCP server {entry.name!r} cannot be started: {error}.",
            hint=f"Check its command ({entry.command}) in {entry.source or 'the configuration'}.",
        ) from error
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    return ServerProcess(process, Pipes(*ours))


def _pipes_into(ours: list[int], theirs: list[int]) -> None:
    """Make three pipes; on failure the lists hold what has to be closed."""
    for writes in (True, False, False):
        reading, writing = os.pipe()
        ours.append(writing if writes else reading)
        theirs.append(reading if writes else writing)
        os.set_blocking(ours[-1], False)
