"""One server with everything that it offers; the supervisor below keeps its connection."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import mcp_types as types
from mcp import Client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from hackamore.core.errors import HackamoreError, MCPError
from hackamore.core.events import ServerLogged, ServerState
from hackamore.mcp.catalog import ListedTool, list_tools
from hackamore.mcp.connection import Connection, Limit
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.faults import Fault
from hackamore.mcp.hooks import Hooks
from hackamore.mcp.listening import listen, listen_to_resource, subscribe
from hackamore.mcp.opening import Around
from hackamore.mcp.phases import Phases
from hackamore.mcp.supervisor import Supervisor, Watcher
from hackamore.mcp.visible import visible

_LIST: Final = "the list of its tools"
_SOON: Final = 0.05
_APART: Final = 0.5


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """How a server is.

    Attributes:
        state: Of its connection.
        error: Why it is not ready, for people; None when nothing is wrong.
        protocol: The revision spoken, once connected.
        tools: How many tools it offers, once listed.
        source: Where it is configured.
        phases: How long the parts of the last opening took.
    """

    state: ServerState
    error: str | None
    protocol: str | None
    tools: int | None
    source: str
    phases: Phases | None = None


class McpServer:
    """One configured server.

    Attributes:
        entry: As configured.
        tools: What it offered when it was last asked; None when it never was.
        by_name: The same, by the names on the server.
        instructions: What it says of itself for a model; None when it says nothing.
    """

    def __init__(
        self, entry: ServerEntry, hooks: Hooks, around: Around, max_reconnects: int
    ) -> None:
        self.entry = entry
        self.tools: tuple[ListedTool, ...] | None = None
        self.by_name: Mapping[str, ListedTool] = {}
        self.instructions: str | None = None
        self._limit = Limit(entry.timeout, "timeout")
        self._protocol: str | None = None
        self._tell = hooks.tell
        watcher = Watcher(self._ready, self._changed, self._count)
        self._supervisor = Supervisor(entry, hooks, around, watcher, max_reconnects)
        self._refreshing: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._told: dict[str, list[Callable[[str], None]]] = {}
        self._following: set[asyncio.Task[None]] = set()
        self._listed_at = 0.0

    @property
    def status(self) -> ServerStatus:
        """How it is now."""
        wrong = self._supervisor.state in ("failed", "auth_required", "backoff", "stopped")
        return ServerStatus(
            state=self._supervisor.state,
            error=self._supervisor.detail or None if wrong else None,
            protocol=self._protocol,
            tools=self._count(),
            source=self.entry.source,
            phases=self._supervisor.phases,
        )

    @property
    def usable(self) -> bool:
        """Whether it is worth asking: neither disabled nor closed."""
        return self._supervisor.state != "stopped"

    async def open(self) -> None:
        """Connect, unless it is connected.

        Raises:
            MCPError: It cannot be had.
        """
        await self._supervisor.connected()

    async def refresh(self) -> None:
        """Read the list of tools anew; when that fails, the last list stays.

        Raises:
            MCPError: It cannot be had, or never gave a list.
        """
        listed_at = self._listed_at
        await self._supervisor.connected()
        if self._listed_at != listed_at:
            return  # connecting has read it just now
        limit = Limit(self.entry.connect_timeout, "connectTimeout")
        try:
            tools = await self._supervisor.request(self._ask, _LIST, limit, repeatable=True)
        except MCPError as error:
            if self.tools is None:
                raise
            self.warn(f"its list of tools could not be read again: {error.message}")
        else:
            self._take(tools)

    async def settled(self) -> None:
        """Wait until a refresh that the server asked for is done."""
        if self._refreshing is not None:
            await asyncio.wait({self._refreshing})

    async def request(
        self,
        request: Callable[[Client], Any],
        what: str,
        *,
        repeatable: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> Any:  # noqa: ANN401  # whatever the request gives
        """Make a request within the server's `timeout`; see `Supervisor.request`."""
        return await self._supervisor.request(
            request, what, self._limit, repeatable=repeatable, headers=headers
        )

    async def subscribe(self, uri: str, told: Callable[[str], None]) -> None:
        """Have `told` called when a resource changes, also after the connection was opened anew.

        Raises:
            MCPError: The server does not offer that.
        """
        if uri not in self._told:
            await self.request(lambda client: self._follow(client, uri), f"following {uri}")
        self._told.setdefault(uri, []).append(told)

    async def _follow(self, client: Client, uri: str) -> None:
        """Ask one connection to tell of a resource, in the way of its revision."""
        if client.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
            await subscribe(client, uri)
            return
        following = asyncio.create_task(listen_to_resource(client, uri, self._changed))
        self._following.add(following)
        following.add_done_callback(self._following.discard)

    async def close(self) -> None:
        """End it."""
        for task in (self._refreshing, self._listening, *self._following):
            if task is not None:
                task.cancel()
        await self._supervisor.close()

    async def _ready(self, connection: Connection) -> None:
        """Take in what a new connection offers."""
        client = connection.client
        self._protocol = client.protocol_version
        self.instructions = visible(client.instructions or "") or None
        await self._list(connection)
        if self._listening is not None:
            self._listening.cancel()
        self._listening = asyncio.create_task(listen(client, self._changed))
        for uri in self._told:
            await self._follow(client, uri)

    async def _list(self, connection: Connection) -> None:
        limit = Limit(self.entry.connect_timeout, "connectTimeout")
        self._take(await connection.ask(self._ask, _LIST, limit))

    async def _ask(self, client: Client) -> tuple[ListedTool, ...]:
        return await list_tools(client, self.entry, self.warn)

    def _take(self, tools: tuple[ListedTool, ...]) -> None:
        self.tools = tools
        self.by_name = {tool.name: tool for tool in tools}
        self._listed_at = asyncio.get_running_loop().time()

    def _count(self) -> int | None:
        return None if self.tools is None else len(self.tools)

    def _changed(self, notification: types.ServerNotification) -> None:
        """Have the list read again, soon and not too often."""
        if isinstance(notification, types.ResourceUpdatedNotification):
            for told in self._told.get(notification.params.uri, ()):
                told(notification.params.uri)
            return
        if not isinstance(notification, types.ToolListChangedNotification):
            return
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self._refresh_soon())

    async def _refresh_soon(self) -> None:
        since = asyncio.get_running_loop().time() - self._listed_at
        await asyncio.sleep(max(_SOON, _APART - since))
        connection = self._supervisor.connection
        if connection is None:
            return
        try:
            await self._list(connection)
        except (Fault, HackamoreError) as error:
            self.warn(f"its list of tools could not be read again: {error}")

    def warn(self, words: str) -> None:
        """Tell people of something that is wrong with it."""
        self._tell(ServerLogged(self.entry.name, "warning", words))
