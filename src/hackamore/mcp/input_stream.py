"""A server's stdin as the stream that the SDK writes messages to."""

import array
import asyncio
import contextlib
import fcntl
import json
import os
import termios
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
        self._turn = asyncio.Lock()
        self._written = 0
        self._left = 0
        self._ready: asyncio.Future[None] | None = None

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message, whole.

        Raises:
            anyio.BrokenResourceError: The server reads no more.
        """
        line = _line_of(item)
        self._probe(item)
        if self._turn.locked():
            async with self._turn:
                self._begin()
                await self._finish(line)
            return
        self._begin()
        written = self._write(line)
        if written < len(line):
            async with self._turn:
                await self._finish(line[written:])

    def never_took(self, trace: Trace) -> bool:
        """Return whether the server took no byte of a request: it surely did not do it."""
        taken = self._written - self._unread()
        return trace.writes == 0 or (trace.writes == 1 and trace.begins >= taken)

    def close(self) -> None:
        """Close the pipe: the sign for the server to end."""
        if self._descriptor is not None:
            self._left = self._unread()
            descriptor, self._descriptor = self._descriptor, None
            self._loop.remove_writer(descriptor)
            os.close(descriptor)
            if self._ready is not None:
                _set_done(self._ready)

    async def aclose(self) -> None:
        """Write no more. The pipe stays open until the process is stopped."""

    def _begin(self) -> None:
        """Remember where the message of the request at hand begins."""
        if (trace := TRACE.get()) is not None:
            trace.begins = self._written
            trace.writes += 1

    async def _finish(self, line: bytes) -> None:
        while line:
            await self._writable()
            line = line[self._write(line) :]

    def _probe(self, item: SessionMessage) -> None:
        """Do not wait for ever for the answer to a question that old servers do not know."""
        message = item.message
        if isinstance(message, JSONRPCRequest) and message.method == "server/discover":
            self._loop.call_later(self._probe_seconds, self._unanswered, message.id)

    def _unread(self) -> int:
        """Return how many bytes still lie in the pipe."""
        if self._descriptor is None:
            return self._left
        count = array.array("i", [0])
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._descriptor, termios.FIONREAD, count)
        return count[0]

    def _write(self, data: bytes) -> int:
        if self._descriptor is None:
            raise anyio.ClosedResourceError
        try:
            count = os.write(self._descriptor, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise anyio.BrokenResourceError from error
        self._written += count
        return count

    async def _writable(self) -> None:
        if self._descriptor is None:
            raise anyio.ClosedResourceError
        self._ready = self._loop.create_future()
        self._loop.add_writer(self._descriptor, _set_done, self._ready)
        try:
            await self._ready
        finally:
            self._forget_writer()

    def _forget_writer(self) -> None:
        if self._descriptor is not None:
            self._loop.remove_writer(self._descriptor)


def _set_done(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


def _line_of(item: SessionMessage) -> bytes:
    try:
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError:  # half a surrogate pair, which JSON can only escape
        text = json.dumps(item.message.model_dump(by_alias=True, exclude_unset=True))
    return text.encode() + b"\n"
