"""What stands in for an answer that a server does not give."""

import os
from collections.abc import AsyncGenerator

import pytest
from mcp.shared.message import SessionMessage
from mcp_types import METHOD_NOT_FOUND, JSONRPCError

from hackamore.mcp.output_stream import OutputStream

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-04")]


@pytest.fixture
async def server(anyio_backend: str) -> AsyncGenerator[tuple[OutputStream, int]]:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    stream = OutputStream(reading, noise=lambda line: None)
    yield stream, writing
    stream.end()
    os.close(reading)
    os.close(writing)


async def test_a_probe_is_refused_in_place_of_a_silent_server(
    server: tuple[OutputStream, int],
) -> None:
    stream, _ = server
    stream.give_up(1)
    item = await stream.receive()
    assert isinstance(item, SessionMessage)
    assert isinstance(item.message, JSONRPCError)
    assert item.message.error.code == METHOD_NOT_FOUND


async def test_nothing_is_said_in_place_of_a_server_that_answered(
    server: tuple[OutputStream, int],
) -> None:
    stream, writing = server
    os.write(writing, b'{"jsonrpc":"2.0","id":1,"result":{}}\n')
    await stream.receive()
    stream.give_up(1)
    stream.end()
    assert [item async for item in stream] == []
