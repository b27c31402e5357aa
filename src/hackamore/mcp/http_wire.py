"""HTTP below the SDK: adds one request's headers, and turns faults of the network into answers.

An exception from here would end the SDK's whole client, and with it every other call. So a POST
that fails is answered like one that the server refused: with an error as JSON-RPC has it.
"""

import json
from typing import Final

import httpx2

from hackamore.mcp.http_body import mended_events, whole
from hackamore.mcp.trace import TRACE

FAILED: Final = -32097
"""The code of an answer that stands for a fault of the network; what kind is in the trace."""

_NOT_SENT_FAULTS: Final = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.ProxyError,
)
_SESSION: Final = "mcp-session-id"
_SAYS_WHY: Final = frozenset({400, 404})
_MOST_WORDS: Final = 2_000


class HttpWire(httpx2.AsyncBaseTransport):
    """Wraps the transport that does the work.

    Args:
        inner: That transport.
        endpoint: Where the server listens: only requests to it get a call's own headers.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, endpoint: httpx2.URL) -> None:
        self._inner = inner
        self._endpoint = endpoint

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`; a fault of the network comes back as a 503."""
        trace = TRACE.get()
        if trace is None or not self._is_ours(request):
            response = await self._inner.handle_async_request(request)
            mended_events(response)
            return response
        for name, value in trace.headers.items():
            request.headers[name] = value
        trace.session = _SESSION in request.headers
        try:
            response = await self._inner.handle_async_request(request)
            trace.status = response.status_code
            says_why = trace.status in _SAYS_WHY
            if says_why or (request.method == "POST" and _is_json(response)):
                response = await whole(response, request)
            if says_why:
                words = await response.aread()
                trace.words = words[:_MOST_WORDS].decode("utf-8", "replace")
        except httpx2.TransportError as error:
            trace.network = "not_sent" if isinstance(error, _NOT_SENT_FAULTS) else "cut_off"
            if request.method != "POST":
                raise
            return _refusal(_words(error))
        mended_events(response)
        return response

    def _is_ours(self, request: httpx2.Request) -> bool:
        """Whether a request goes to the server's own place, and not to where logins are made."""
        url, endpoint = request.url, self._endpoint
        same_origin = (url.scheme, url.host, url.port) == (
            endpoint.scheme,
            endpoint.host,
            endpoint.port,
        )
        is_message = request.headers.get("content-type", "").startswith("application/json")
        return same_origin and (url.path == endpoint.path or is_message)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def _is_json(response: httpx2.Response) -> bool:
    return response.headers.get("content-type", "").startswith("application/json")


def _refusal(message: str) -> httpx2.Response:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": FAILED, "message": message}}
    return httpx2.Response(
        503, headers={"content-type": "application/json"}, content=json.dumps(error).encode()
    )


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
