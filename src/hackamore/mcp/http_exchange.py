"""One HTTP/1.1 connection: a request goes out, its answer comes in, the next one may follow."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from typing import Final, cast

import httptools
import httpx2

_LARGEST_HEAD: Final = 64 * 1024
_TOO_LARGE: Final = "the answer's headers are larger than 64 KiB"
_UNASKED: Final = "the server sent what was not asked for"
_MOST_WAITING: Final = 1024 * 1024
_INFORMATIONAL: Final = range(100, 200)


class Exchange(asyncio.Protocol):
    """Speaks with one server. The parsing is httptools'; here is only who waits for what."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._head: asyncio.Future[None] | None = None
        self._more: asyncio.Future[None] | None = None
        self._headers: list[tuple[bytes, bytes]] = []
        self._status = 0
        self._head_size = 0
        self._besides_body = 0
        self._body: deque[bytes] = deque()
        self._waiting = 0
        self._complete = True
        self._lasts = True
        self._failure: Exception | None = None
        self.free_since = 0.0

    @property
    def reusable(self) -> bool:
        """Whether another request may be sent."""
        return self._complete and self._lasts and self._failure is None

    async def send(self, request: bytes) -> tuple[int, list[tuple[bytes, bytes]]]:
        """Send a request; return the status and the headers of its answer.

        Raises:
            httpx2.TransportError: The server went away, or spoke no HTTP.
        """
        self._raise_failure()
        self._parser = httptools.HttpResponseParser(self)
        self._headers, self._head_size, self._besides_body = [], 0, 0
        self.forget_body()
        self._complete = False
        self._head = self._loop.create_future()
        if self._transport is not None:
            self._transport.write(request)
        await self._head
        return self._status, self._headers

    async def body(self) -> AsyncGenerator[bytes, None]:
        """Yield the answer's body as it comes.

        Raises:
            httpx2.TransportError: It broke off.
        """
        while True:
            while self._body:
                chunk = self._body.popleft()
                self._waiting -= len(chunk)
                self._flow()
                yield chunk
            if self._complete:
                return
            self._raise_failure()
            self._more = self._loop.create_future()
            await self._more

    def forget_body(self) -> None:
        """Drop what nobody read of a body, which may have brought the server to wait."""
        self._body.clear()
        self._waiting = 0
        self._flow()

    def abort(self) -> None:
        """Break the connection off."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Take bytes of an answer; bytes that nobody asked for end the connection."""
        if self._failure is not None:
            return
        if self._complete:
            self._fail(httpx2.RemoteProtocolError(_UNASKED))
            return
        self._besides_body += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fail(httpx2.RemoteProtocolError(f"the server does not speak HTTP/1.1: {error}"))
        if self._besides_body > _LARGEST_HEAD and not self._complete:
            self._fail(httpx2.RemoteProtocolError(_TOO_LARGE))

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note of the end; a body without a length ends with it, unless it broke off."""
        if exc is None and not self._complete and self._ends_with_connection():
            self.on_message_complete()
        words = str(exc) if exc else "the server closed the connection without an answer"
        self._fail(httpx2.ReadError(words))

    def on_message_begin(self) -> None:
        """Refuse a second answer; the first one, which is whole, counts."""
        if self._complete:
            self._fail(httpx2.RemoteProtocolError(_UNASKED))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take one header; those that follow a body say nothing that is needed."""
        if self._headed:
            return
        self._head_size += len(name) + len(value)
        if self._head_size > _LARGEST_HEAD:
            self._fail(httpx2.RemoteProtocolError(_TOO_LARGE))
        self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Take note that the headers are whole, unless they only announce others."""
        if self._headed:
            return
        self._status = self._parser.get_status_code()
        if self._status in _INFORMATIONAL:
            self._headers = []
        elif self._head is not None:
            self._head.set_result(None)

    def on_body(self, data: bytes) -> None:
        """Take a piece of the body."""
        if self._complete:
            return
        self._besides_body = 0
        self._body.append(data)
        self._waiting += len(data)
        self._flow()
        self._wake()

    def on_message_complete(self) -> None:
        """Take note that the answer is whole."""
        if not self._complete and self._status not in _INFORMATIONAL:
            self._complete = True
            self._lasts = self._parser.should_keep_alive()
            self._wake()

    @property
    def _headed(self) -> bool:
        """Whether the headers of the answer are there, or will not come."""
        return self._head is not None and self._head.done()

    def _ends_with_connection(self) -> bool:
        names = {name.lower() for name, _ in self._headers}
        return self._headed and not names & {b"content-length", b"transfer-encoding"}

    def _flow(self) -> None:
        """Let the server wait when too much of its body waits to be read."""
        if self._transport is None or self._transport.is_closing():
            return
        if self._waiting > _MOST_WAITING:
            self._transport.pause_reading()
        elif not self._transport.is_reading():
            self._transport.resume_reading()

    def _fail(self, failure: Exception) -> None:
        if self._failure is None:
            self._failure = failure
        if self._head is not None and not self._head.done():
            self._head.set_exception(failure)
        self._wake()
        self.abort()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _wake(self) -> None:
        if self._more is not None and not self._more.done():
            self._more.set_result(None)
