"""The requests that wait for an answer are forgotten with any answer."""

import gc
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import pytest
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_PARAMS,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
)

from hackamore.mcp.streams import ReadingStream, Stream
from hackamore.mcp.tolerant_streams import tolerant_transport

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-10")]


@dataclass
class _Answers(ReadingStream):
    messages: deque[JSONRPCMessage] = field(default_factory=deque[JSONRPCMessage])

    async def receive(self) -> SessionMessage | Exception:
        if not self.messages:
            raise anyio.EndOfStream
        return SessionMessage(self.messages.popleft())

    async def aclose(self) -> None:
        self.messages.clear()


class _Nowhere(Stream):
    async def send(self, item: SessionMessage, /) -> None:
        """Drop it."""

    async def aclose(self) -> None:
        """Nothing is open."""


@asynccontextmanager
async def _answering(*messages: JSONRPCMessage) -> AsyncGenerator[TransportStreams]:
    yield _Answers(deque(messages)), _Nowhere()


def _alive() -> int:
    return sum(
        isinstance(one, JSONRPCRequest) and one.method == "x/remembered" for one in gc.get_objects()
    )


_ERROR = JSONRPCError(
    jsonrpc="2.0", id=1, error=ErrorData(code=INVALID_PARAMS, message="no such thing")
)
_RESULT = JSONRPCResponse(jsonrpc="2.0", id=1, result={})


@pytest.mark.parametrize("answer", [_ERROR, _RESULT])
async def test_no_request_is_remembered_that_was_answered(answer: JSONRPCMessage) -> None:
    async with tolerant_transport(_answering(answer), lambda _: None) as (reading, writing):
        request = JSONRPCRequest(jsonrpc="2.0", id=1, method="x/remembered")
        await writing.send(SessionMessage(request))
        del request
        assert _alive() == 1
        await reading.receive()
        assert _alive() == 0
