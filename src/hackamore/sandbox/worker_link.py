"""The link to the worker: starts it, proves it, and starts it again when it had to be killed."""

import asyncio
import contextlib
from pathlib import Path
from typing import Final

from hackamore.core.errors import SandboxUnavailable, WorkspaceError
from hackamore.core.workspace import SandboxLevel
from hackamore.sandbox.connection import Connection, ConnectionLost
from hackamore.sandbox.cover_watch import CoverWatch
from hackamore.sandbox.laid_covers import LaidCovers
from hackamore.sandbox.launch import Launch, bare_launch, confined_launch
from hackamore.sandbox.level import bait, require_full
from hackamore.sandbox.missing_paths import names_to_keep
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
        self._laid = LaidCovers(Path(settings.state), Path(root))
        self._wanted = names_to_keep(Path(root), Path(settings.home), settings.rules)
        self._watch: CoverWatch | None = None

    @property
    def kept_names(self) -> tuple[str, ...]:
        """The names in the root that no command may take."""
        return tuple(one.name for one in self._wanted)

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
            SandboxUnavailable: It cannot be started, or missing paths cannot be kept free.
        """
        connection = await self.connection()
        if self.level == "full" and not connection.busy and not await self._covered():
            self.kill()
            connection = await self.connection()
        return connection

    async def _covered(self) -> bool:
        """See to it that something stands wherever a cover is needed; tell whether all are laid."""
        try:
            return await asyncio.to_thread(self._lay_and_look)
        except OSError as error:
            raise SandboxUnavailable(
                f"Protected paths cannot be covered: {self._settings.state} cannot be written "
                f"({error.strerror}).",
                hint="Make that folder writable.",
            ) from error

    def _lay_and_look(self) -> bool:
        self._laid.lay(self._wanted)
        return covers_hold(self.root, self._settings.rules, self._covers)

    def kill(self) -> None:
        """End the worker at once; the next request starts another."""
        if self._connection is not None:
            self._connection.lost = True
            self._connection.kill()

    async def close(self) -> None:
        """End the worker and everything it started, and wait for it."""
        async with self._starting:
            self._closed = True
            self._stop_watching()
            if self._connection is not None:
                await self._connection.close()
            with contextlib.suppress(OSError):  # the next session of anybody takes them away
                await asyncio.to_thread(self._laid.lift)

    async def _replace(self) -> None:
        self._stop_watching()
        if self._connection is not None:
            self._connection.kill()
            await self._connection.close()
        launch = await asyncio.to_thread(self._launch)
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
        if launch.covers.inodes:
            self._watch = CoverWatch(launch.covers.inodes, self.kill)

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def _launch(self) -> Launch:
        if self.level != "full":
            return bare_launch(self._settings)
        with contextlib.suppress(OSError):  # commands need it, and then it is told
            self._laid.hold()
        return confined_launch(self._settings, self._laid.git_ignore)

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
