"""A server's stdout as the stream of messages that the SDK reads from."""

import asyncio
import json
import os
from collections import deque
from collections.abc import Callable
from typing import Final

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import METHOD_NOT_FOUND, JSONRPCError, JSONRPCResponse, RequestId

from hackamore.mcp.lines import LineCutter, LineTooLong
from hackamore.mcp.parse import parse_message
from hackamore.mcp.streams import ReadingStream

_CHUNK: Final = 256 * 1024
_MOST_WAITING: Final = 256
_TURN: Final = 32
_ANSWERS: Final = (JSONRPCResponse, JSONRPCError)


class OutputStream(ReadingStream):
    """Reads from a non-blocking descriptor as the loop finds it readable.

    Reading pauses while many lines wait, so that a flood fills the pipe and not our memory; and
    after some messages in a row the loop gets its turn.

    Attributes:
        ended: Nothing more is read.
        closed: It was we who ended it, not the server.
        fault: Why it cannot be read any more; may be empty.
    """

    def __init__(self, descriptor: int, *, noise: Callable[[bytes], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._descriptor = descriptor
        self._noise = noise
        self._cutter = LineCutter()
        self._lines: deque[bytes] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self.ended = False
        self.closed = False
        self._paused = False
        self._in_a_row = 0
        self._answered = False
        self.fault = ""
        self._loop.add_reader(descriptor, self._readable)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            anyio.EndOfStream: There will be none.
        """
        while True:
            if self._lines:
                message = parse_message(line := self._next_line())
                if message is None:
                    if line.strip():
                        self._noise(line)
                    continue
                self._answered = self._answered or isinstance(message, _ANSWERS)
                await self._give_way()
                return SessionMessage(message)
            if self.ended:
                raise anyio.EndOfStream
            self._in_a_row = 0
            self._waiter = self._loop.create_future()
            await self._waiter

    def give_up(self, request: RequestId) -> None:
        """Answer the first `request` in the server's place, unless it did: it does not know it."""
        if not self.ended and not self._answered:
            error = {"code": METHOD_NOT_FOUND, "message": "not answered in time"}
            refusal = {"jsonrpc": "2.0", "id": request, "error": error}
            self._lines.append(json.dumps(refusal).encode())
            self._wake()

    def read_all(self) -> None:
        """Take what is still there, and end: whoever wrote it is gone."""
        while not self.ended and self._readable():
            pass
        self.end()

    def end(self) -> None:
        """Read no more; what was read can still be received."""
        if not self.ended:
            self.ended = True
            self._loop.remove_reader(self._descriptor)
            self._wake()

    async def aclose(self) -> None:
        """Read no more and forget what was read."""
        self.closed = self.closed or not self.ended
        self.end()
        self._lines.clear()

    def _next_line(self) -> bytes:
        line = self._lines.popleft()
        if self._paused and len(self._lines) < _MOST_WAITING // 2 and not self.ended:
            self._paused = False
            self._loop.add_reader(self._descriptor, self._readable)
        return line

    async def _give_way(self) -> None:
        self._in_a_row += 1
        if self._in_a_row >= _TURN:
            self._in_a_row = 0
            await asyncio.sleep(0)

    def _readable(self) -> bool:
        """Take one chunk; return whether there may be more."""
        try:
            chunk = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        if not chunk:
            if rest := self._cutter.rest():
                self._lines.append(rest)
            self.end()
            return False
        try:
            self._cutter.feed(chunk, self._lines)
        except LineTooLong:
            self.fault = "it sent a line of more than 32 MiB"
            self.end()
            return False
        if len(self._lines) > _MOST_WAITING and not self._paused:
            self._paused = True
            self._loop.remove_reader(self._descriptor)
        self._wake()
        return True

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
