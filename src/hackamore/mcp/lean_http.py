"""HTTP/1.1 for MCP servers, below httpx2: a pool of connections and nothing else.

With httpx2's own transport more than half of what a call costs is spent on the way to the socket.
Redirects, cookies, logins, encodings and event streams stay with httpx2 and the SDK above.
"""

import asyncio
import ssl
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, TypeAlias, cast

import httpx2

from hackamore.mcp.http_exchange import Exchange

Origin: TypeAlias = tuple[str, str, int]

_MOST_CONNECTIONS: Final = 100
_KEPT_FREE: Final = 4.0
_PORTS: Final = {"http": 80, "https": 443}


class LeanHttp(httpx2.AsyncBaseTransport):
    """Sends requests on kept connections. It serves one event loop.

    Args:
        trust: The system's trust store, for ``https``.
    """

    def __init__(self, trust: ssl.SSLContext) -> None:
        self._trust = trust
        self._free: defaultdict[Origin, list[Exchange]] = defaultdict(list)
        self._room = asyncio.Semaphore(_MOST_CONNECTIONS)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request and return its answer, whose body is still to come.

        Raises:
            httpx2.TransportError: It could not be sent, or was not answered.
        """
        message = _message(request, await request.aread())
        origin = _origin(request.url)
        await self._room.acquire()
        try:
            exchange = self._kept(origin) or await self._connect(origin, request)
            try:
                status, headers = await exchange.send(message)
            except BaseException:
                exchange.abort()
                raise
        except BaseException:
            self._room.release()
            raise
        return httpx2.Response(status, headers=headers, stream=_Body(self, origin, exchange))

    async def aclose(self) -> None:
        """Close the connections that are kept."""
        for exchanges in self._free.values():
            for exchange in exchanges:
                exchange.abort()
        self._free.clear()

    def give_back(self, origin: Origin, exchange: Exchange) -> None:
        """Take a connection whose answer was read, or given up."""
        self._room.release()
        if exchange.reusable:
            exchange.forget_body()
            exchange.free_since = asyncio.get_running_loop().time()
            self._free[origin].append(exchange)
        else:
            exchange.abort()

    def _kept(self, origin: Origin) -> Exchange | None:
        """Return a connection that was in use a moment ago: one that is old may be closing."""
        now = asyncio.get_running_loop().time()
        free = self._free[origin]
        while free:
            exchange = free.pop()
            if exchange.reusable and now - exchange.free_since < _KEPT_FREE:
                return exchange
            exchange.abort()
        return None

    async def _connect(self, origin: Origin, request: httpx2.Request) -> Exchange:
        scheme, host, port = origin
        trust = self._trust if scheme == "https" else None
        loop = asyncio.get_running_loop()
        try:
            async with _limit(request):
                _, exchange = await loop.create_connection(
                    Exchange, host, port, ssl=trust, happy_eyeballs_delay=0.25
                )
        except TimeoutError as error:
            raise httpx2.ConnectTimeout("it took too long to connect") from error
        except (OSError, ssl.SSLError) as error:
            raise httpx2.ConnectError(error.strerror or str(error)) from error
        return exchange


class _Body(httpx2.AsyncByteStream):
    """An answer's body; the connection goes back when it was read or given up."""

    def __init__(self, pool: LeanHttp, origin: Origin, exchange: Exchange) -> None:
        self._pool = pool
        self._origin = origin
        self._exchange: Exchange | None = exchange

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._exchange is not None:
            async for chunk in self._exchange.body():
                yield chunk

    async def aclose(self) -> None:
        if self._exchange is not None:
            exchange, self._exchange = self._exchange, None
            self._pool.give_back(self._origin, exchange)


def _origin(url: httpx2.URL) -> Origin:
    return url.scheme, url.host, url.port or _PORTS[url.scheme]


def _message(request: httpx2.Request, body: bytes) -> bytes:
    """Return a request as bytes; httpx2 has made sure that no header holds a line end."""
    lines = [b"%s %s HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path)]
    lines += [b"%s: %s" % header for header in request.headers.raw]
    return b"\r\n".join((*lines, b"", body))


def _limit(request: httpx2.Request) -> AbstractAsyncContextManager[object]:
    timeouts = cast("dict[str, Any]", request.extensions.get("timeout") or {})
    return asyncio.timeout(timeouts.get("connect"))
