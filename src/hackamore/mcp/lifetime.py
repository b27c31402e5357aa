"""One connection from its opening to its end. The SDK's client is entered and left in one task."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from hackamore.core.errors import ServerUnavailable
from hackamore.mcp.callbacks import Callbacks
from hackamore.mcp.connection import Connection
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.faults import Fault, Situation, fault_of, gone, not_started
from hackamore.mcp.opening import Around, Era, client_for
from hackamore.mcp.phases import Phases
from hackamore.mcp.stdio import StdioLink
from hackamore.mcp.trace import TRACE, Trace


@dataclass(eq=False, slots=True)
class Lifetime:
    """The life of one connection.

    Attributes:
        entry: The server.
        era: How it is spoken to.
        around: What opening it needs.
        callbacks: Answer what the server asks.
        prepare: Awaited with the connection before anyone uses it.
        phases: How long the parts of the opening took.
        link: The child process, once it runs.
        over: Set to end it.
    """

    entry: ServerEntry
    era: Era
    around: Around
    callbacks: Callbacks
    prepare: Callable[[Connection], Awaitable[None]]
    phases: Phases = field(default_factory=Phases)
    link: StdioLink | None = None
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def died(self) -> bool:
        """Whether the server's process ended by itself."""
        return self.link is not None and self.link.died

    async def live(self, born: Callable[[Connection], None]) -> Fault | None:
        """Open the connection, hand it to `born`, keep it until it is over, and close it.

        Returns:
            Why it ended; None when it was given up.

        Raises:
            Fault: It could not be opened.
        """
        trace = Trace()
        TRACE.set(trace)
        opened = False
        try:
            async with asyncio.timeout(None) as limit, AsyncExitStack() as stack:
                within = self.callbacks.patience.within
                with within(self.entry.connect_timeout, lambda: _end_now(limit)):
                    connection = await self._open(stack)
                opened = True
                born(connection)
                return await self._end()
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001  # what ends an opening has to be told
            if opened:
                return None
            raise await self._fault(error, trace) from None

    async def _open(self, stack: AsyncExitStack) -> Connection:
        client = client_for(self.entry, self.era, self.around, self.callbacks, self._linked)
        await stack.enter_async_context(client)
        self.phases.shook_hands()
        TRACE.set(None)
        patience = self.callbacks.patience
        connection = Connection(self.entry, client, patience, self.over.set, self.link)
        await self.prepare(connection)
        self.phases.listed()
        return connection

    def _linked(self, link: StdioLink) -> None:
        self.phases.started()
        self.link = link

    async def _end(self) -> Fault | None:
        """Wait until the connection is given up, or its process ends."""
        given_up = asyncio.ensure_future(self.over.wait())
        ended = [] if self.link is None else [self.link.following]
        try:
            await asyncio.wait([given_up, *ended], return_when=asyncio.FIRST_COMPLETED)
        finally:
            given_up.cancel()
        if self.over.is_set() or self.link is None:
            return None
        return gone(self.entry, await self.link.fault())

    async def _fault(self, error: BaseException, trace: Trace) -> Fault:
        if isinstance(error, TimeoutError):
            return _late(self.entry)
        ending = "" if self.link is None else await self.link.fault()
        fault = fault_of(error, Situation(self.entry, "connecting", trace, ending))
        return not_started(self.entry, ending, fault) if ending else fault


def _late(entry: ServerEntry) -> Fault:
    words = f"The MCP server {entry.name!r} was not ready within {entry.connect_timeout:g} s."
    hint = "Raise its `connectTimeout` if it needs more time."
    return Fault(ServerUnavailable(words, hint=hint))


def _end_now(limit: asyncio.Timeout) -> None:
    limit.reschedule(asyncio.get_running_loop().time())
