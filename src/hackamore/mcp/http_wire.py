"""HTTP below the SDK: adds one request's headers, and turns faults of the network into answers.

An exception from here would end the SDK's whole client, and with it every other call. So a POST
that fails is answered like one that the server refused: with an error as JSON-RPC has it.
"""

import json
from typing import Final

import httpx2

from hackamore.mcp.trace import TRACE

NOT_SENT: Final = -32097
"""The code of an error for a request that surely did not reach the server."""
CUT_OFF: Final = -32096
"""The code of an error for a request whose answer did not come whole."""

_NOT_SENT_FAULTS: Final = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.ProxyError,
)
_LARGEST_BODY: Final = 64 * 1024 * 1024


class HttpWire(httpx2.AsyncBaseTransport):
    """Wraps the transport that does the work."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`; a fault of the network comes back as a 503."""
        trace = TRACE.get()
        if trace is not None:
            for name, value in trace.headers.items():
                request.headers[name] = value
            trace.sent = True
        try:
            response = await self._inner.handle_async_request(request)
            if trace is not None:
                trace.status = response.status_code
            if request.method == "POST" and _is_json(response):
                return await _whole(response, request)
        except httpx2.TransportError as error:
            if request.method != "POST":
                raise
            not_sent = isinstance(error, _NOT_SENT_FAULTS)
            if trace is not None:
                trace.sent = not not_sent
            return _refusal(NOT_SENT if not_sent else CUT_OFF, _words(error))
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def _is_json(response: httpx2.Response) -> bool:
    return response.headers.get("content-type", "").startswith("application/json")


async def _whole(response: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
    """Read a JSON answer to its end here, where a fault can still be told from others."""
    chunks: list[bytes] = []
    size = 0
    try:
        async for chunk in response.aiter_raw():
            size += len(chunk)
            if size > _LARGEST_BODY:
                return _refusal(CUT_OFF, "the answer is larger than 64 MiB")
            chunks.append(chunk)
    finally:
        await response.aclose()
    return httpx2.Response(
        response.status_code,
        headers=response.headers,
        stream=httpx2.ByteStream(b"".join(chunks)),
        request=request,
    )


def _refusal(code: int, message: str) -> httpx2.Response:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return httpx2.Response(
        503, headers={"content-type": "application/json"}, content=json.dumps(error).encode()
    )


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
