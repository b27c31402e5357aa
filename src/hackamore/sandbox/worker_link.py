"""The link to the worker: starts it, proves it, and starts it again when it had to be killed."""

import asyncio
from typing import Final

from hackamore.core.errors import SandboxUnavailable, WorkspaceError
from hackamore.core.workspace import SandboxLevel
from hackamore.sandbox.connection import Connection, ConnectionLost
from hackamore.sandbox.launch import bare_launch, confined_launch
from hackamore.sandbox.level import bait, require_full
from hackamore.sandbox.protected_paths import Covers, covers_hold
from hackamore.sandbox.replies import BadReply, check
from hackamore.sandbox.settings import SandboxSettings

_PROBE_SECONDS: Final = 5.0


class WorkerLink:
    """A worker that is there when it is needed.

    Attributes:
        root: The workspace's real path.
        level: What the sandbox is: ``full`` after the self-test, or ``none``.
    """

    def __init__(self, settings: SandboxSettings, root: str, level: SandboxLevel) -> None:
        self.root = root
        self.level: SandboxLevel = level
        self._settings = settings
        self._connection: Connection | None = None
        self._starting = asyncio.Lock()
        self._closed = False
        self._covers = Covers()

    @property
    def covers_complete(self) -> bool:
        """Whether the whole workspace was searched for protected paths when it was covered."""
        return self._covers.complete

    async def connection(self) -> Connection:
        """Return the living worker, started again when the last one ended.

        Raises:
            SandboxUnavailable: It cannot be started.
        """
        async with self._starting:
            if self._closed:
                raise SandboxUnavailable("The sandbox is closed.")
            if self._connection is None or self._connection.lost:
                await self._replace()
            connection = self._connection
        if connection is None:
            raise SandboxUnavailable("The sandbox did not start.")
        return connection

    async def connection_for_command(self) -> Connection:
        """Return the worker, started again when protected paths came or were replaced.

        A cover is laid at start and lies over one file, not over a name. A worker that runs
        another command is kept: ending that would be the greater surprise.

        Raises:
            SandboxUnavailable: It cannot be started.
        """
        connection = await self.connection()
        if self.level == "full" and not connection.busy and not await self._covers_hold():
            self.kill()
            connection = await self.connection()
        return connection

    async def _covers_hold(self) -> bool:
        rules = self._settings.rules
        return await asyncio.to_thread(covers_hold, self.root, rules, self._covers)

    def kill(self) -> None:
        """End the worker at once; the next request starts another."""
        if self._connection is not None:
            self._connection.lost = True
            self._connection.kill()

    async def close(self) -> None:
        """End the worker and everything it started, and wait for it."""
        async with self._starting:
            self._closed = True
            if self._connection is not None:
                await self._connection.close()

    async def _replace(self) -> None:
        if self._connection is not None:
            self._connection.kill()
            await self._connection.close()
        launch = await asyncio.to_thread(
            confined_launch if self.level == "full" else bare_launch, self._settings
        )
        connection = await Connection.start(launch)
        try:
            await self._prepare(connection, confined=launch.confined)
        except (ConnectionLost, BadReply) as error:
            await connection.close()
            raise SandboxUnavailable("The sandbox ended while it started.") from error
        except WorkspaceError as error:
            await connection.close()
            raise SandboxUnavailable(error.message) from error
        except BaseException:
            await connection.close()
            raise
        self._connection = connection
        self._covers = launch.covers

    async def _prepare(self, connection: Connection, *, confined: bool) -> None:
        limits, rules = self._settings.limits, self._settings.rules
        check(
            await connection.request(
                "configure",
                root=self.root,
                hidden=rules.hidden,
                readonly=rules.readonly,
                confined=confined,
                processes=limits.processes,
                memory=limits.memory,
                file_size=limits.file_size,
            )
        )
        if confined:
            with bait(self.root, self._settings.home) as laid:
                answer = connection.request("probe", bait=laid.as_request())
                require_full(check(await asyncio.wait_for(answer, _PROBE_SECONDS)))
