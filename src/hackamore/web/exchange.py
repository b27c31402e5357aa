"""One HTTP request to one checked address, and as much of the answer as is wanted.

Proxies that the environment names are not used: they would connect where nothing was checked.
"""

import asyncio
import ssl
import zlib
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from hackamore.core.web import FetchError
from hackamore.web.target import Target

_MAX_HEADERS: Final = 64 * 1024
_AT_ONCE: Final = 64 * 1024
_WINDOWS: Final = {"": 0, "identity": 0, "gzip": 31, "x-gzip": 31, "deflate": 15}
_GZIP: Final = b"\x1f"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered.

    Attributes:
        status: Of HTTP.
        headers: With names in lower case.
        body: Decompressed, at most one byte more than wanted.
        incomplete: It ends before its compressed data did, or was too long to be read.
    """

    status: int
    headers: dict[str, str]
    body: bytes
    incomplete: bool = False


async def connect(
    target: Target, address: str, tls: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a connection to `address`; with https the certificate must be the host's.

    Raises:
        OSError: Nobody answers there, or not with a certificate that holds.
    """
    if target.scheme == "http":
        return await asyncio.open_connection(address, target.port)
    return await asyncio.open_connection(address, target.port, ssl=tls, server_hostname=target.host)


async def ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: Target, max_bytes: int
) -> Answer:
    """Send a GET and read the answer until it ends or is longer than `max_bytes`.

    Raises:
        FetchError: What came is not HTTP, or ended early.
        OSError: The connection broke.
    """
    writer.write(_request(target))
    await writer.drain()
    answer = _Answering(max_bytes)
    while not answer.done:
        data = await reader.read(_AT_ONCE)
        answer.take(data)
        await asyncio.sleep(0)  # others have their turn, however much is there to be read
    return answer.whole()


async def close(writer: asyncio.StreamWriter) -> None:
    """Let a connection go, at once."""
    writer.transport.abort()
    with suppress(OSError):
        await writer.wait_closed()


def _request(target: Target) -> bytes:
    lines = [
        f"GET {target.path} HTTP/1.1",
        f"Host: {target.authority}",
        "User-Agent: Hackamore",
        "Accept: text/markdown, text/html, text/plain, application/json, */*;q=0.5",
        "Accept-Encoding: gzip, deflate",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii")


class _Answering:
    """An answer as it comes; its methods named on_… are called by the parser."""

    def __init__(self, max_bytes: int) -> None:
        self.done = False
        self._limit = max_bytes
        self._parser = HttpResponseParser(self)
        self._status = 0
        self._headers: dict[str, str] = {}
        self._body = bytearray()
        self._taken = 0
        self._inflater: _Inflater | None = None
        self._fault = ""
        self._too_long = False

    def take(self, data: bytes) -> None:
        """Take what came; nothing means that the connection ended."""
        if not data:
            self._ended()
            return
        self._taken += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade as error:
            raise FetchError("The server wants to speak something other than HTTP.") from error
        except HttpParserError as error:
            raise FetchError(f"The server's answer is not HTTP: {error}.") from error
        if self._fault:
            raise FetchError(self._fault)
        if self._inflater is None and self._taken > _MAX_HEADERS:
            raise FetchError("The server's headers are too long.")
        if self._taken > 2 * self._limit + _MAX_HEADERS:
            self.done = self._too_long = True

    def whole(self) -> Answer:
        """Return what was read."""
        cut = self._too_long or (self._inflater is not None and self._inflater.unfinished)
        return Answer(self._status, self._headers, bytes(self._body), incomplete=cut)

    def on_message_begin(self) -> None:
        self._headers = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1").strip()

    def on_headers_complete(self) -> None:
        self._status = self._parser.get_status_code()
        encoding = self._headers.get("content-encoding", "").lower()
        if encoding not in _WINDOWS:
            self._fault = f"The server sent an encoding that was not asked for: {encoding!r}."
        if self._status >= 200:  # noqa: PLR2004  # below are interim answers
            self._inflater = _Inflater(_WINDOWS.get(encoding, 0))

    def on_body(self, data: bytes) -> None:
        room = self._limit + 1 - len(self._body)
        if self._inflater is None or room <= 0:
            return
        try:
            self._body += self._inflater.add(data, room)
        except zlib.error as error:
            self._fault = f"The server's answer cannot be decompressed: {error}."
        self.done = self.done or len(self._body) > self._limit

    def on_message_complete(self) -> None:
        self.done = self.done or self._inflater is not None

    def _ended(self) -> None:
        """An answer without a length ends with its connection; any other is incomplete."""
        measured = {"content-length", "transfer-encoding"} & self._headers.keys()
        if self._inflater is None or measured:
            raise FetchError("The server ended the connection before its answer was whole.")
        self.done = True


class _Inflater:
    """Decompresses, never more than there is room for."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._stream = zlib.decompressobj(window or _WINDOWS["gzip"])
        self._began = False

    @property
    def unfinished(self) -> bool:
        """Whether compressed data began that has not ended."""
        return self._began and not self._stream.eof

    def add(self, data: bytes, room: int) -> bytes:
        """Return what `data` holds, at most `room` bytes of it."""
        if not self._window:
            return data[:room]
        found = bytearray()
        while data and len(found) < room:
            if self._stream.eof and not self._next_member(data):
                break
            found += self._inflated(data, room - len(found))
            data = self._stream.unused_data
        return bytes(found)

    def _next_member(self, data: bytes) -> bool:
        """Begin another member of a gzip file, if that is what follows and not padding."""
        if self._window != _WINDOWS["gzip"] or not data.startswith(_GZIP):
            return False
        self._stream = zlib.decompressobj(self._window)
        return True

    def _inflated(self, data: bytes, room: int) -> bytes:
        try:
            return self._stream.decompress(data, room)
        except zlib.error:
            if self._began or self._window > zlib.MAX_WBITS:
                raise
            self._stream = zlib.decompressobj(-zlib.MAX_WBITS)  # "deflate" without its frame
            return self._stream.decompress(data, room)
        finally:
            self._began = True
