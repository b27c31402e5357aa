"""The supervisor of one server: starts it when it is needed, keeps it, brings it back, ends it.

One task at a time owns the connection: it opens the SDK's client, waits until the connection is
lost or no longer wanted, and closes it. Callers in other tasks only make requests. All callers that
find no connection wait for the same owner, so that a server is never opened twice.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
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
from hackamore.mcp.faults import Fault, neither
from hackamore.mcp.hooks import Hooks
from hackamore.mcp.lifetime import Lifetime
from hackamore.mcp.oauth import LastingLogin
from hackamore.mcp.opening import Around, Era, another_way, first_era
from hackamore.mcp.patience import Patience
from hackamore.mcp.phases import Phases
from hackamore.mcp.quiet import keep_quiet

T = TypeVar("T")

_CLOSE: Final = 5.0
_SESSIONS: Final = 2


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who wants to know of a server's life.

    Attributes:
        ready: Awaited with each new connection before anyone uses it.
        changed: Told of notifications that lists changed.
        count: Says how many tools the server offers.
    """

    ready: Callable[[Connection], Awaitable[None]]
    changed: Callable[[types.ServerNotification], None]
    count: Callable[[], int | None]


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
        self._owners: set[asyncio.Task[None]] = set()
        self._opened: asyncio.Future[Connection] | None = None
        self._lifetimes: set[Lifetime] = set()
        self._proved = False
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
        sessions_lost = 0
        for retry in range(self._max_reconnects + 1):
            connection = self._connection or await self.connected()
            try:
                result = await connection.ask(request, what, limit, headers)
            except Fault as fault:
                if fault.lost:
                    self._lose(connection, fault)
                sessions_lost += fault.session
                again = fault.may_repeat(repeatable=repeatable) and sessions_lost < _SESSIONS
                if not again or retry == self._max_reconnects:
                    raise fault.error from None
            else:
                self._proved = True
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
            if self._failure is not None and not retry and self._backoff.just_failed():
                raise self._failure.error.with_traceback(None)
            try:
                return await asyncio.shield(self._open())
            except Fault as fault:
                if self._is_lasting(fault) or retry == self._max_reconnects:
                    raise fault.error.with_traceback(None) from None
        raise AssertionError  # the last try returns or raises

    async def close(self) -> None:
        """End the connection and everything that belongs to it; takes 5 s at most."""
        self._set("stopped", "it was closed")
        for lifetime in self._lifetimes:
            lifetime.over.set()
        if self._owner is not None and self._connection is None:
            self._owner.cancel()
        if self._owners:
            _, late = await asyncio.wait(self._owners, timeout=_CLOSE)
            for owner in late:
                owner.cancel()

    def _open(self) -> "asyncio.Future[Connection]":
        """Return the future of the connection that the owner opens; start one if there is none."""
        if self.state == "stopped":
            raise Fault(ServerUnavailable(f"The MCP server {self.entry.name!r}: {self.detail}."))
        if self._opened is None or self._opened.done():
            self._opened = asyncio.get_running_loop().create_future()
            self._opened.add_done_callback(_seen)
            self._owner = asyncio.create_task(self._own(self._opened, self._owner))
            self._owners.add(self._owner)
            self._owner.add_done_callback(self._owners.discard)
        return self._opened

    async def _own(
        self, opened: "asyncio.Future[Connection]", before: asyncio.Task[None] | None
    ) -> None:
        """Own one connection from its opening to its end."""
        try:
            if before is not None and self.entry.transport == "stdio":
                await asyncio.wait({before})
            if left := self._backoff.left():
                self._set("backoff", self.detail)
                await asyncio.sleep(left)
            self._set("connecting")
            await self._live(opened)
        except asyncio.CancelledError:
            self._fail(opened, Fault(ServerUnavailable(f"{self.entry.name!r} was closed.")))
            raise
        except Fault as fault:
            self._fail(opened, fault)
        except BaseException as bug:
            if not opened.done():
                opened.set_exception(bug)
            raise

    async def _live(self, opened: "asyncio.Future[Connection]") -> None:
        """Live through one connection; when one way of opening fails, try the other one."""
        first = self._new_lifetime(self.era)
        try:
            await self._through(first, opened)
        except Fault as fault:
            other = another_way(self.entry, self.era, fault, died=first.died)
            if other is None:
                raise
            try:
                await self._through(self._new_lifetime(other), opened)
            except Fault as second:
                both = neither(self.entry, fault, second) if other.http == "sse" else fault
                raise both from None

    async def _through(self, lifetime: Lifetime, opened: "asyncio.Future[Connection]") -> None:
        mine: list[Connection] = []

        def born(connection: Connection) -> None:
            mine.append(connection)
            self._ready(connection, opened, lifetime)

        self._lifetimes.add(lifetime)
        try:
            ending = await lifetime.live(born)
            if ending is not None:
                self._lose(mine[0], ending)
        finally:
            self._lifetimes.discard(lifetime)
            if self._connection in mine:
                self._connection = None

    def _new_lifetime(self, era: Era) -> Lifetime:
        callbacks = Callbacks(self.entry.name, self._hooks, self._patience, self._watcher.changed)
        lifetime = Lifetime(self.entry, era, self._around, callbacks, self._watcher.ready)
        self.phases = lifetime.phases
        return lifetime

    def _ready(
        self, connection: Connection, opened: "asyncio.Future[Connection]", lifetime: Lifetime
    ) -> None:
        discovered = connection.client.session.discover_result
        mode = "legacy" if discovered is None else connection.client.protocol_version
        self.era = replace(lifetime.era, mode=mode, discovered=discovered)
        self._connection = connection
        self._failure = None
        self._proved = False
        self._set("ready")
        if not opened.done():
            opened.set_result(connection)

    def _lose(self, connection: Connection, fault: Fault) -> None:
        """Give up a connection; the next request opens another one."""
        if self._connection is not connection:
            return
        self._connection = None
        if not self._proved:
            self._backoff.failed()
        self._set("auth_required" if fault.auth else "idle", str(fault.error))
        connection.retire()

    def _fail(self, opened: "asyncio.Future[Connection]", fault: Fault) -> None:
        self._backoff.failed()
        self._failure = fault
        self._set("auth_required" if fault.auth else "failed", str(fault.error))
        if not opened.done():
            opened.set_exception(fault)

    def _is_lasting(self, fault: Fault) -> bool:
        """Whether trying again at once is of no use: a command that never ran will not now."""
        never_ran = self.entry.transport == "stdio" and self.era == first_era(self.entry)
        return fault.auth or not fault.lost or never_ran

    def _auth(self, entry: ServerEntry) -> httpx2.Auth | None:
        """Return what logs in; while the person does so, no deadline comes nearer."""
        login = self._login(entry)
        if isinstance(login, LastingLogin):
            login.wait_in(self._patience.asking)
        return login

    def _set(self, state: ServerState, detail: str = "") -> None:
        """Tell of a new state; what was stopped stays so."""
        if self.state != "stopped" and (state, detail) != (self.state, self.detail):
            self.state, self.detail = state, detail
            tools = self._watcher.count() if state == "ready" else None
            self._hooks.tell(ServerChanged(self.entry.name, state, detail, tools))

    def _say(self, words: str) -> None:
        self._hooks.tell(ServerLogged(self.entry.name, "warning", words))


def _seen(future: "asyncio.Future[Connection]") -> None:
    """Take note of a failure that nobody waits for any more."""
    if not future.cancelled():
        future.exception()
