"""What is written to a server arrives in order and whole, whoever gives up meanwhile."""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, RequestId

from hackamore.mcp.input_stream import InputStream
from hackamore.mcp.trace import TRACE, Trace

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-10")]

_MORE_THAN_A_PIPE = 300_000


def _message(name: str, size: int = 1) -> SessionMessage:
    params = {"text": name * size}
    return SessionMessage(JSONRPCNotification(jsonrpc="2.0", method=name, params=params))


@dataclass
class _Pipe:
    stream: InputStream
    reading: int
    writing: int
    taken: bytearray = field(default_factory=bytearray)
    unanswered: list[RequestId] = field(default_factory=list[RequestId])

    def read(self, most: int = 65_536) -> int:
        try:
            chunk = os.read(self.reading, most)
        except BlockingIOError:
            return 0
        self.taken += chunk
        return len(chunk)

    async def read_all(self) -> list[str]:
        """Read until nothing comes any more; return the methods of the messages."""
        idle = 0
        while idle < 20:
            idle = 0 if self.read() else idle + 1
            await asyncio.sleep(0)
        return [json.loads(line)["method"] for line in bytes(self.taken).splitlines()]


@pytest.fixture
async def pipe(anyio_backend: str) -> AsyncGenerator[_Pipe]:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    os.set_blocking(reading, False)
    unanswered: list[RequestId] = []
    stream = InputStream(writing, unanswered.append, 0)
    yield _Pipe(stream, reading, writing, unanswered=unanswered)
    stream.close()
    with contextlib.suppress(OSError):
        os.close(reading)


async def _begun(
    pipe: _Pipe, name: str, size: int = 1, trace: Trace | None = None
) -> asyncio.Task[None]:
    TRACE.set(trace)
    task = asyncio.create_task(pipe.stream.send(_message(name, size)))
    TRACE.set(None)
    await asyncio.sleep(0)
    return task


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_message_that_is_begun_is_finished_when_its_sender_gives_up(pipe: _Pipe) -> None:
    big = await _begun(pipe, "big", _MORE_THAN_A_PIPE)
    small = await _begun(pipe, "small")
    await _cancelled(big)
    assert await pipe.read_all() == ["big", "small"]
    await small


async def test_a_message_that_is_not_begun_is_taken_back_when_its_sender_gives_up(
    pipe: _Pipe,
) -> None:
    big = await _begun(pipe, "big", _MORE_THAN_A_PIPE)
    trace = Trace()
    waiting = await _begun(pipe, "waiting", trace=trace)
    last = await _begun(pipe, "last")
    await _cancelled(waiting)
    assert pipe.stream.never_took(trace)
    assert await pipe.read_all() == ["big", "last"]
    await asyncio.gather(big, last)


async def test_messages_arrive_in_the_order_of_their_sending(pipe: _Pipe) -> None:
    tasks = [await _begun(pipe, name, 60_000) for name in "abc"]
    while not all(task.done() for task in tasks):  # some sender always comes as others are done
        pipe.read(4096)
        if len(tasks) < 30:
            tasks.append(await _begun(pipe, "z", 50_000))
        await asyncio.sleep(0)
    assert await pipe.read_all() == ["a", "b", "c", *"z" * 27]


async def test_one_who_comes_as_the_pipe_gets_room_does_not_overtake(pipe: _Pipe) -> None:
    big = await _begun(pipe, "big", _MORE_THAN_A_PIPE)
    second = await _begun(pipe, "second", _MORE_THAN_A_PIPE)
    while not big.done():
        pipe.read()
        await asyncio.sleep(0)
    last = await _begun(pipe, "last")
    assert await pipe.read_all() == ["big", "second", "last"]
    await asyncio.gather(second, last)


async def test_a_request_was_not_taken_until_its_first_byte_was_read(pipe: _Pipe) -> None:
    first, second = Trace(), Trace()
    big = await _begun(pipe, "big", _MORE_THAN_A_PIPE, first)
    waiting = await _begun(pipe, "waiting", trace=second)
    assert pipe.stream.never_took(first)
    pipe.read(1)
    assert not pipe.stream.never_took(first)
    assert pipe.stream.never_took(second)
    await pipe.read_all()
    await asyncio.gather(big, waiting)
    assert not pipe.stream.never_took(second)


async def test_those_who_wait_are_told_when_the_server_reads_no_more(pipe: _Pipe) -> None:
    tasks = [await _begun(pipe, name, _MORE_THAN_A_PIPE) for name in "ab"]
    os.close(pipe.reading)
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in outcomes] == [anyio.BrokenResourceError] * 2
    with pytest.raises(anyio.BrokenResourceError):
        await pipe.stream.send(_message("late"))


async def test_those_who_wait_are_told_when_the_stream_is_closed(pipe: _Pipe) -> None:
    tasks = [await _begun(pipe, name, _MORE_THAN_A_PIPE) for name in "ab"]
    pipe.stream.close()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in outcomes] == [anyio.ClosedResourceError] * 2


async def _probe(pipe: _Pipe) -> None:
    request = JSONRPCRequest(jsonrpc="2.0", id=7, method="server/discover")
    await pipe.stream.send(SessionMessage(request))


async def test_a_probe_without_an_answer_is_given_up(pipe: _Pipe) -> None:
    await _probe(pipe)
    await asyncio.sleep(0.01)
    assert pipe.unanswered == [7]


async def test_a_closed_stream_waits_for_no_probe(pipe: _Pipe) -> None:
    await _probe(pipe)
    pipe.stream.close()
    for _ in range(5):
        await asyncio.sleep(0)
    assert pipe.unanswered == []
