"""Answers over one connection: each whole, none mixed with another, none without a limit."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import httpx2
import pytest

from hackamore.mcp.http_exchange import Exchange

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-12")]

_OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
_OTHER = b"HTTP/1.1 500 Oops\r\nX-Bad: y\r\nContent-Length: 3\r\n\r\nbad"
_MIB = 1024 * 1024

Answer: TypeAlias = tuple[int, int, bytes]


class _Wire(asyncio.Transport):
    """A connection that goes nowhere."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False
        self.reading = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Drop it."""

    def abort(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def is_reading(self) -> bool:
        return self.reading

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True


def _connected() -> tuple[Exchange, _Wire]:
    exchange, wire = Exchange(), _Wire()
    exchange.connection_made(wire)
    return exchange, wire


async def _answer(exchange: Exchange, *feeding: Callable[[], None]) -> Answer:
    """Return status, number of headers and body of the answer that `feeding` brings."""
    sending = asyncio.create_task(exchange.send(b"request"))
    await asyncio.sleep(0)
    for feed in feeding:
        feed()
    status, headers = await sending
    return status, len(headers), b"".join([chunk async for chunk in exchange.body()])


def _fed(exchange: Exchange, *chunks: bytes) -> Coroutine[Any, Any, Answer]:
    def feed() -> None:
        for chunk in chunks:
            exchange.data_received(chunk)

    return _answer(exchange, feed)


@pytest.mark.parametrize("rest", [_OTHER, _OTHER[:30], b"nonsense", b"\0"])
async def test_what_follows_an_answer_is_not_mixed_with_it_and_ends_the_connection(
    rest: bytes,
) -> None:
    exchange, wire = _connected()
    assert await _fed(exchange, _OK + rest) == (200, 1, b"hi")
    assert not exchange.reusable
    assert wire.closed


async def test_an_announcement_before_an_answer_is_not_the_answer() -> None:
    exchange, _ = _connected()
    continues = b"HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n"
    assert await _fed(exchange, continues + continues + _OK) == (200, 1, b"hi")
    assert exchange.reusable


@pytest.mark.parametrize(
    "beginning",
    [
        *(b"HTTP/1.1 200 OK\r\nX-Long: ", b"HTTP/1.1 200 ", b"HTTP/1.1 200 OK\r\nX-"),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Trailer: ",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;extension=",
    ],
)
@pytest.mark.req("MCP-11")
async def test_what_is_no_body_has_a_limit_wherever_it_stands(beginning: bytes) -> None:
    exchange, wire = _connected()
    with pytest.raises(httpx2.RemoteProtocolError, match="larger than 64 KiB"):
        await _fed(exchange, beginning, *[b"a" * 1000] * 80)
    assert wire.closed


async def test_a_body_has_no_such_limit_however_it_is_cut() -> None:
    exchange, _ = _connected()
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = [head, *[b"1\r\na\r\n"] * 40_000, b"0\r\n\r\n"]
    status, _, body = await _fed(exchange, *chunks)
    assert (status, len(body)) == (200, 40_000)


async def test_a_body_without_a_length_ends_with_the_connection() -> None:
    exchange, _ = _connected()
    feed = (lambda: exchange.data_received(b"HTTP/1.1 200 OK\r\n\r\nall of it"),)
    answer = await _answer(exchange, *feed, lambda: exchange.connection_lost(None))
    assert answer == (200, 0, b"all of it")
    assert not exchange.reusable


async def test_a_body_without_a_length_is_not_whole_when_the_connection_breaks() -> None:
    exchange, _ = _connected()
    feed = (lambda: exchange.data_received(b"HTTP/1.1 200 OK\r\n\r\nhalf of"),)
    lost = ConnectionResetError("reset")
    with pytest.raises(httpx2.ReadError, match="reset"):
        await _answer(exchange, *feed, lambda: exchange.connection_lost(lost))


async def test_a_switch_to_another_protocol_is_refused() -> None:
    exchange, _ = _connected()
    switch = b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
    with pytest.raises(httpx2.RemoteProtocolError):
        await _fed(exchange, switch)


async def test_a_connection_whose_large_answer_nobody_read_serves_the_next_request() -> None:
    exchange, wire = _connected()
    sending = asyncio.create_task(exchange.send(b"request"))
    await asyncio.sleep(0)
    exchange.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (2 * _MIB))
    exchange.data_received(b"x" * 2 * _MIB)
    await sending
    assert not wire.reading
    exchange.forget_body()
    assert wire.reading
    assert exchange.reusable
    assert await _fed(exchange, _OK) == (200, 1, b"hi")
    assert wire.reading
