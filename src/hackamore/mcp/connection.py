"""One live connection to a server: requests that always come back.

Each request runs in a task of its own. So a cancellation that the SDK lets loose inside does not
reach the caller, and a caller that gives up leaves at once while the server is still being told.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mcp import Client

from hackamore.core.errors import CallTimeout
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.faults import Fault, Situation, fault_of
from hackamore.mcp.patience import Patience
from hackamore.mcp.stdio import StdioLink
from hackamore.mcp.trace import TRACE, Trace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limit:
    """How long something may take, and which setting says so."""

    seconds: float
    setting: str


@dataclass(eq=False, slots=True)
class Connection:
    """One connection.

    Attributes:
        entry: The server.
        client: The SDK's client, entered by the server's owner.
        patience: The deadlines of its requests.
        end: Ends it.
        link: The child process, for stdio.
    """

    entry: ServerEntry
    client: Client
    patience: Patience
    end: Callable[[], None]
    link: StdioLink | None = None
    _left_behind: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]], init=False)
    _waiting: int = field(default=0, init=False)
    _retired: bool = field(default=False, init=False)

    def retire(self) -> None:
        """End it: a process at once, an HTTP connection when its other requests are answered."""
        self._retired = True
        if self.link is not None or not self._waiting:
            self.end()

    async def ask(
        self,
        request: Callable[[Client], Coroutine[Any, Any, T]],
        what: str,
        limit: Limit,
        headers: Mapping[str, str] | None = None,
    ) -> T:
        """Make one request.

        Args:
            request: Makes it with the SDK's client.
            what: What it is, for errors: ``the call of 'x'``.
            limit: How long it may take.
            headers: Sent with it over HTTP.

        Raises:
            Fault: It failed; the connection may be lost.
        """
        trace = Trace(headers or {})
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(_traced(request(self.client), trace, over))
        late = False

        def give_up() -> None:
            nonlocal late
            late = True
            task.cancel()
            _set_done(over)

        self._waiting += 1
        deadline = self.patience.begin(limit.seconds, give_up)
        try:
            await over
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            self.patience.end(deadline)
            self._let_finish(task)
            self._waiting -= 1
            if self._retired and not self._waiting:
                self.end()
        if late:
            raise Fault(_timeout(self.entry, what, limit))
        failure = _failure_of(task)
        if failure is None:
            return task.result()
        raise fault_of(failure, await self._situation(what, trace)) from None

    async def _situation(self, what: str, trace: Trace) -> Situation:
        if self.link is None:
            return Situation(self.entry, what, trace)
        return Situation(
            self.entry,
            what,
            trace,
            ending=await self.link.fault(),
            unread=self.link.input.never_took(trace),
        )

    def _let_finish(self, task: asyncio.Task[Any]) -> None:
        """Keep a task that is not over (the server is still being told) from being forgotten."""
        if not task.done():
            self._left_behind.add(task)
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._left_behind.discard(task)
        if not task.cancelled():
            task.exception()


def _failure_of(task: asyncio.Task[Any]) -> BaseException | None:
    """Return why a task failed; a cancellation that nobody here asked for is a failure too."""
    if task.cancelled():
        return asyncio.CancelledError("the connection ended")
    return task.exception()


async def _traced(request: Awaitable[T], trace: Trace, over: "asyncio.Future[None]") -> T:
    TRACE.set(trace)
    try:
        return await request
    finally:
        _set_done(over)


def _set_done(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)


def _timeout(entry: ServerEntry, what: str, limit: Limit) -> CallTimeout:
    return CallTimeout(
        f"The MCP server {entry.name!r} took longer than {limit.seconds:g} s for {what}.",
        hint=f"Raise `{limit.setting}` of this server if it needs more time.",
    )
