"""Puts `tolerance` between a transport and the SDK, whatever the transport."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import Context

from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from hackamore.mcp.streams import ReadingStream, Stream
from hackamore.mcp.tolerance import Dropped, tolerant


class _Asked:
    """The requests that wait for an answer, by id."""

    def __init__(self) -> None:
        self.requests: dict[RequestId, JSONRPCRequest] = {}


class _Writing(Stream):
    def __init__(self, inner: WriteStream[SessionMessage], asked: _Asked) -> None:
        self._inner = inner
        self._asked = asked

    async def send(self, item: SessionMessage, /) -> None:
        message = item.message
        if isinstance(message, JSONRPCRequest):
            self._asked.requests[message.id] = message
        elif isinstance(message, JSONRPCNotification):
            self._forget(message)
        await self._inner.send(item)

    def _forget(self, notification: JSONRPCNotification) -> None:
        """Wait no more for the answer to a request that is cancelled."""
        if notification.method == "notifications/cancelled":
            self._asked.requests.pop((notification.params or {}).get("requestId", ""), None)

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Reading(ReadingStream):
    def __init__(
        self, inner: ReadStream[SessionMessage | Exception], asked: _Asked, dropped: Dropped
    ) -> None:
        self._inner = inner
        self._asked = asked
        self._dropped = dropped

    @property
    def last_context(self) -> Context | None:
        """The sender's context, where the transport keeps it."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        item = await self._inner.receive()
        if isinstance(item, SessionMessage):
            self._take(item.message)
        return item

    def _take(self, message: JSONRPCMessage) -> None:
        """Mend a result; a request with an answer of either kind waits no more."""
        if not isinstance(message, JSONRPCResponse | JSONRPCError) or message.id is None:
            return
        request = self._asked.requests.pop(message.id, None)
        if request is not None and isinstance(message, JSONRPCResponse):
            message.result = tolerant(request, message.result, self._dropped)

    async def aclose(self) -> None:
        await self._inner.aclose()


@asynccontextmanager
async def tolerant_transport(
    transport: AbstractAsyncContextManager[TransportStreams], dropped: Dropped
) -> AsyncGenerator[TransportStreams, None]:
    """Yield the streams of `transport` with the results on them made acceptable."""
    async with transport as (reading, writing):
        asked = _Asked()
        yield _Reading(reading, asked, dropped), _Writing(writing, asked)
