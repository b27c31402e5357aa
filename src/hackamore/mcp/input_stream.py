"""A server's stdin as the stream that the SDK writes messages to.

What is sent goes out in the order of `send`. A message of which one byte is out belongs to the
stream: it is finished whatever becomes of its sender, or the next one would be glued to its half.
"""

import array
import asyncio
import contextlib
import fcntl
import json
import os
import termios
from collections import deque
from collections.abc import Callable
from typing import Final

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, RequestId
from pydantic_core import PydanticSerializationError

from hackamore.mcp.streams import Stream
from hackamore.mcp.trace import TRACE, Trace

PROBE_SECONDS: Final = 3.0
"""How long a server may take to answer the probe, at most; then it is taken for an older one."""


class _Line:
    """A message on its way: what is left of it, and who waits until nothing is."""

    __slots__ = ("begun", "gone", "rest", "trace")

    def __init__(self, rest: bytes, trace: Trace | None) -> None:
        self.rest: bytes | memoryview = rest
        self.trace = trace
        self.begun = False
        self.gone: asyncio.Future[None] | None = None

    def take(self, count: int, written: int) -> None:
        """Take note that `count` bytes are out, after `written` bytes of other messages."""
        if not self.begun and self.trace is not None:
            self.trace.begins = written
            self.trace.writes += 1
        self.begun = True
        self.rest = memoryview(self.rest)[count:]

    def settle(self, failure: Exception | None) -> None:
        """Tell the sender, if it still waits."""
        if self.gone is None or self.gone.done():
            return
        if failure is None:
            self.gone.set_result(None)
        else:
            self.gone.set_exception(failure)


class InputStream(Stream):
    """Writes to a non-blocking descriptor, and waits when the server does not read.

    `unanswered` is told the id of the probe for the newest protocol after `probe` seconds.
    """

    def __init__(
        self, descriptor: int, unanswered: Callable[[RequestId], None], probe: float
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._descriptor: int | None = descriptor
        self._unanswered = unanswered
        self._probe_seconds = probe
        self._probing: asyncio.TimerHandle | None = None
        self._unsent: deque[_Line] = deque()
        self._written = 0
        self._left = 0

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message, whole. Cancelled, it only waits no longer if a byte is out.

        Raises:
            anyio.BrokenResourceError: The server reads no more.
            anyio.ClosedResourceError: The stream was closed.
        """
        line = _Line(_line_of(item), TRACE.get())
        self._probe(item)
        if not self._unsent:
            self._write(line)
            if not line.rest:
                return
        await self._flushed(line)

    def never_took(self, trace: Trace) -> bool:
        """Return whether the server took no byte of a request: it surely did not do it."""
        taken = self._written - self._unread()
        return trace.writes == 0 or (trace.writes == 1 and trace.begins >= taken)

    def close(self) -> None:
        """Close the pipe: the sign for the server to end."""
        if self._probing is not None:
            self._probing.cancel()
        if self._descriptor is not None:
            self._left = self._unread()
            self._give_up(anyio.ClosedResourceError)
            descriptor, self._descriptor = self._descriptor, None
            os.close(descriptor)

    async def aclose(self) -> None:
        """Write no more. The pipe stays open until the process is stopped."""

    async def _flushed(self, line: _Line) -> None:
        """Wait until `line` is out, behind those that were there before it."""
        if not self._unsent and self._descriptor is not None:
            self._loop.add_writer(self._descriptor, self._flush)
        self._unsent.append(line)
        line.gone = self._loop.create_future()
        try:
            await line.gone
        finally:
            if not line.begun:
                self._take_out(line)

    def _take_out(self, line: _Line) -> None:
        """Forget a line of which nothing is out and for which nobody waits any more."""
        with contextlib.suppress(ValueError):
            self._unsent.remove(line)

    def _flush(self) -> None:
        """Write what the pipe takes."""
        while self._unsent:
            line = self._unsent[0]
            try:
                self._write(line)
            except anyio.BrokenResourceError:
                self._give_up(anyio.BrokenResourceError)
                return
            if line.rest:
                return
            self._unsent.popleft()
            line.settle(None)
        self._forget_writer()

    def _give_up(self, failure: type[Exception]) -> None:
        """Tell all who wait that nothing more goes out."""
        self._forget_writer()
        while self._unsent:
            self._unsent.popleft().settle(failure())

    def _probe(self, item: SessionMessage) -> None:
        """Do not wait for ever for the answer to a question that old servers do not know."""
        message = item.message
        if isinstance(message, JSONRPCRequest) and message.method == "server/discover":
            self._probing = self._loop.call_later(self._probe_seconds, self._unanswered, message.id)

    def _unread(self) -> int:
        """Return how many bytes still lie in the pipe."""
        if self._descriptor is None:
            return self._left
        count = array.array("i", [0])
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._descriptor, termios.FIONREAD, count)
        return count[0]

    def _write(self, line: _Line) -> None:
        """Write what the pipe takes of one line."""
        if self._descriptor is None:
            raise anyio.ClosedResourceError
        try:
            count = os.write(self._descriptor, line.rest)
        except BlockingIOError:
            return
        except OSError as error:
            raise anyio.BrokenResourceError from error
        line.take(count, self._written)
        self._written += count

    def _forget_writer(self) -> None:
        if self._descriptor is not None:
            self._loop.remove_writer(self._descriptor)


def _line_of(item: SessionMessage) -> bytes:
    try:
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError:  # half a surrogate pair, which JSON can only escape
        text = json.dumps(item.message.model_dump(by_alias=True, exclude_unset=True))
    return text.encode() + b"\n"
