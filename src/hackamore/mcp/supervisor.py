"""The supervisor of one server: starts it when it is needed, keeps it, brings it back, ends it.

One task at a time owns the connection: it opens the SDK's client, waits until the connection is
lost or no longer wanted, and closes it. Callers in other tasks only make requests. All callers that
find no connection wait for the same owner, so that a server is never opened twice.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import httpx2
import mcp_types as types
from mcp import Client

from hackamore.core.errors import ServerUnavailable
from hackamore.core.events import ServerChanged, ServerLogged, ServerState
from hackamore.mcp.backoff import Backoff
from hackamore.mcp.callbacks import Callbacks
from hackamore.mcp.connection import Connection, Limit
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.faults import Fault, Situation, fault_of, gone, neither, not_started
from hackamore.mcp.hooks import Hooks
from hackamore.mcp.oauth import LastingLogin
from hackamore.mcp.opening import Around, another_way, client_for, first_era
from hackamore.mcp.patience import Patience
from hackamore.mcp.phases import Phases
from hackamore.mcp.quiet import keep_quiet
from hackamore.mcp.stdio import StdioLink
from hackamore.mcp.trace import TRACE, Trace

T = TypeVar("T")

_CLOSE: Final = 5.0
_PATIENT: Final = 1.0


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who wants to know of a server's life.

    Attributes:
        ready: Awaited with each new connection before anyone uses it.
        changed: Told of notifications that lists changed.
    """

    ready: Callable[[Connection], Awaitable[None]]
    changed: Callable[[types.ServerNotification], None]


class Supervisor:
    """Owns one server. It lives in the loop that first uses it.

    Attributes:
        entry: The server.
        state: What the connection is now.
        detail: Why, for people.
        era: How it is spoken to; remembered from one connection to the next.
        phases: How long the parts of the last opening took.
    """

    def __init__(
        self,
        entry: ServerEntry,
        hooks: Hooks,
        around: Around,
        watcher: Watcher,
        max_reconnects: int = 3,
    ) -> None:
        keep_quiet()
        self.entry = entry
        self.state: ServerState = "stopped" if entry.disabled else "idle"
        self.detail = "it is disabled" if entry.disabled else ""
        self.era = first_era(entry)
        self.phases: Phases | None = None
        self._hooks = hooks
        self._around = replace(around, say=self._say, auth=self._auth)
        self._login = around.auth
        self._watcher = watcher
        self._max_reconnects = max_reconnects
        self._patience = Patience()
        self._backoff = Backoff(time.monotonic)
        self._failure: Fault | None = None
        self._owner: asyncio.Task[None] | None = None
        self._opened: asyncio.Future[Connection] | None = None
        self._over: asyncio.Event | None = None
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection | None:
        """The live connection, if there is one."""
        return self._connection

    async def request(
        self,
        request: Callable[[Client], Coroutine[Any, Any, T]],
        what: str,
        limit: Limit,
        *,
        repeatable: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> T:
        """Make a request, on a new connection where the old one turns out to be dead.

        Args:
            request: Makes it with the SDK's client.
            what: What it is, for errors.
            limit: How long one try may take.
            repeatable: It may be made again although the server may have done it.
            headers: Sent with it over HTTP.

        Raises:
            MCPError: The server cannot be had, went away, took too long or refused.
        """
        for retry in range(self._max_reconnects + 1):
            connection = await self.connected()
            try:
                result = await connection.ask(request, what, limit, headers)
            except Fault as fault:
                if fault.lost:
                    self._lose(connection, fault)
                again = fault.lost and (fault.not_executed or repeatable) and not fault.auth
                if not again or retry == self._max_reconnects:
                    raise fault.error from None
            else:
                self._backoff.worked()
                return result
        raise AssertionError  # the last try returns or raises

    async def connected(self) -> Connection:
        """Return the live connection; open one, or wait for the one that is being opened.

        Raises:
            ServerUnavailable: It cannot be had; the message says why.
        """
        for retry in range(self._max_reconnects + 1):
            if self._connection is not None:
                return self._connection
            if self._failure is not None and not retry and self._backoff.left() > _PATIENT:
                raise self._failure.error
            try:
                return await asyncio.shield(self._open())
            except Fault as fault:
                if self._is_lasting(fault) or retry == self._max_reconnects:
                    raise fault.error from None
        raise AssertionError  # the last try returns or raises

    async def close(self) -> None:
        """End the connection and everything that belongs to it; takes 5 s at most."""
        self._set("stopped", "it was closed")
        owner = self._owner
        if owner is None:
            return
        if self._over is not None:
            self._over.set()
        if self._connection is None:
            owner.cancel()
        _, late = await asyncio.wait({owner}, timeout=_CLOSE)
        if late:
            owner.cancel()

    def _open(self) -> "asyncio.Future[Connection]":
        """Return the future of the connection that the owner opens; start one if there is none."""
        if self.state == "stopped":
            raise Fault(ServerUnavailable(f"The MCP server {self.entry.name!r}: {self.detail}."))
        if self._opened is None or self._opened.done():
            self._opened = asyncio.get_running_loop().create_future()
            self._opened.add_done_callback(_seen)
            self._owner = asyncio.create_task(self._own(self._opened, self._owner))
        return self._opened

    async def _own(
        self, opened: "asyncio.Future[Connection]", before: asyncio.Task[None] | None
    ) -> None:
        """Own one connection from its opening to its end."""
        try:
            if before is not None:
                await asyncio.wait({before})
            if left := self._backoff.left():
                self._set("backoff", self.detail)
                await asyncio.sleep(left)
            self._set("connecting")
            await self._keep_or_retry(opened)
        except asyncio.CancelledError:
            self._fail(opened, Fault(ServerUnavailable(f"{self.entry.name!r} was closed.")))
            raise
        except Exception as error:  # noqa: BLE001  # whatever the SDK raises becomes a state
            if not opened.done():
                self._fail(opened, error if isinstance(error, Fault) else self._fault(error))
        finally:
            self._connection = None

    async def _keep_or_retry(self, opened: "asyncio.Future[Connection]") -> None:
        """Keep a connection; when the server did not bear being probed, begin another way."""
        link: list[StdioLink] = []
        try:
            await self._keep(opened, link)
        except Fault as fault:
            other = another_way(self.entry, self.era, fault, died=bool(link and link[0].died))
            if other is None:
                raise
            before, self.era = self.era, other
            try:
                await self._keep(opened, [])
            except Fault as second:
                self.era = before
                raise (
                    neither(self.entry, fault, second) if other.http == "sse" else fault
                ) from None

    async def _keep(self, opened: "asyncio.Future[Connection]", link: list[StdioLink]) -> None:
        """Open the client, hand the connection out, and keep it until it is over."""
        over = self._over = asyncio.Event()
        phases = self.phases = Phases()

        def linked(started: StdioLink) -> None:
            phases.started()
            link.append(started)

        client = client_for(self.entry, self.era, self._around, self._callbacks(), linked)
        trace = Trace()
        TRACE.set(trace)
        try:
            async with asyncio.timeout(None) as limit, AsyncExitStack() as kept:
                with self._patience.within(self.entry.connect_timeout, lambda: _end_now(limit)):
                    await kept.enter_async_context(client)
                    phases.shook_hands()
                    TRACE.set(None)
                    connection = Connection(self.entry, client, self._patience, *link)
                    await self._watcher.ready(connection)
                    phases.listed()
                self._ready(connection, opened)
                await self._until(over, link)
        except BaseException as error:  # noqa: BLE001  # what ends an opening has to be told
            if opened.done():
                return
            raise await self._opening_fault(error, trace, link) from None

    async def _until(self, over: asyncio.Event, link: list[StdioLink]) -> None:
        """Wait until the connection is given up, or its process ends."""
        waiting = [asyncio.ensure_future(over.wait()), *(one.following for one in link)]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting[0].cancel()
        if not over.is_set() and link and self._connection is not None:
            self._lose(self._connection, gone(self.entry, await link[0].fault()))

    async def _opening_fault(
        self, error: BaseException, trace: Trace, link: list[StdioLink]
    ) -> BaseException:
        if isinstance(error, asyncio.CancelledError):
            return error
        if isinstance(error, TimeoutError):
            words = f"The MCP server {self.entry.name!r} was not ready within "
            hint = "Raise its `connectTimeout` if it needs more time."
            late = ServerUnavailable(f"{words}{self.entry.connect_timeout:g} s.", hint=hint)
            return Fault(late)
        ending = await link[0].fault() if link else ""
        fault = fault_of(error, Situation(self.entry, "connecting", trace, ending))
        return fault if not ending else not_started(self.entry, ending, fault)

    def _ready(self, connection: Connection, opened: "asyncio.Future[Connection]") -> None:
        session = connection.client.session
        discovered = session.discover_result
        mode = "legacy" if discovered is None else connection.client.protocol_version
        self.era = replace(self.era, mode=mode, discovered=discovered)
        self._connection = connection
        self._failure = None
        self._set("ready")
        if not opened.done():
            opened.set_result(connection)

    def _lose(self, connection: Connection, fault: Fault) -> None:
        """Give up a connection; the next request opens another one."""
        if self._connection is not connection:
            return
        self._connection = None
        self._set("auth_required" if fault.auth else "idle", str(fault.error))
        if self._over is not None:
            self._over.set()

    def _fail(self, opened: "asyncio.Future[Connection]", fault: Fault) -> None:
        self._backoff.failed()
        self._failure = fault
        if self.state != "stopped":
            self._set("auth_required" if fault.auth else "failed", str(fault.error))
        if not opened.done():
            opened.set_exception(fault)

    def _is_lasting(self, fault: Fault) -> bool:
        """Whether trying again at once is of no use: a command that never ran will not now."""
        never_ran = self.entry.transport == "stdio" and self.era.mode == self.entry.protocol
        return fault.auth or not fault.lost or never_ran

    def _fault(self, error: BaseException) -> Fault:
        return fault_of(error, Situation(self.entry, "connecting", Trace()))

    def _auth(self, entry: ServerEntry) -> httpx2.Auth | None:
        """Return what logs in; while the person does so, no deadline comes nearer."""
        login = self._login(entry)
        if isinstance(login, LastingLogin):
            login.wait_in(self._patience.asking)
        return login

    def _callbacks(self) -> Callbacks:
        return Callbacks(self.entry.name, self._hooks, self._patience, self._watcher.changed)

    def _set(self, state: ServerState, detail: str = "") -> None:
        if (state, detail) != (self.state, self.detail):
            self.state, self.detail = state, detail
            self._hooks.tell(ServerChanged(self.entry.name, state, detail))

    def _say(self, words: str) -> None:
        self._hooks.tell(ServerLogged(self.entry.name, "warning", words))


def _end_now(limit: asyncio.Timeout) -> None:
    limit.reschedule(asyncio.get_running_loop().time())


def _seen(future: "asyncio.Future[Connection]") -> None:
    """Take note of a failure that nobody waits for any more."""
    if not future.cancelled():
        future.exception()
