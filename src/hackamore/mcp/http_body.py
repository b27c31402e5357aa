"""The bodies of answers, before the SDK reads them.

They come whole where they can, within a limit, and without halves of surrogate pairs, for which the
SDK would throw the message away.
"""

from collections.abc import AsyncIterator
from typing import Final, cast

import httpx2

from hackamore.mcp.surrogates import open_end, without_halves

_LARGEST_BODY: Final = 64 * 1024 * 1024
_OF_THE_WIRE: Final = ("content-encoding", "content-length", "transfer-encoding")


async def whole(response: httpx2.Response, request: httpx2.Request) -> httpx2.Response:
    """Read an answer to its end here, where a fault can still be told from others.

    Raises:
        httpx2.TransportError: It broke off, cannot be decoded, or is too large when decoded.
    """
    encoded = "content-encoding" in response.headers
    chunks: list[bytes] = []
    size = 0
    try:
        async for chunk in response.aiter_bytes() if encoded else response.aiter_raw():
            size += len(chunk)
            if size > _LARGEST_BODY:
                raise httpx2.ReadError("the answer is larger than 64 MiB")
            chunks.append(chunk)
    except httpx2.DecodingError as error:
        raise httpx2.ReadError(f"the answer cannot be decoded: {error}") from error
    finally:
        await response.aclose()
    if encoded:
        for name in _OF_THE_WIRE:
            response.headers.pop(name, None)
    return httpx2.Response(
        response.status_code,
        headers=response.headers,
        stream=httpx2.ByteStream(without_halves(b"".join(chunks))),
        request=request,
    )


def mended_events(response: httpx2.Response) -> None:
    """Have the halves of surrogate pairs taken out of an event stream as it is read."""
    is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
    if is_stream and "content-encoding" not in response.headers:
        response.stream = _Mended(cast(httpx2.AsyncByteStream, response.stream))


class _Mended(httpx2.AsyncByteStream):
    """An event stream; an escape is held back until it is whole, all else passes at once."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held = b""
        async for chunk in self._inner:
            data = held + chunk
            end = open_end(data)
            data, held = data[:end], data[end:]
            if data:
                yield without_halves(data)
        if held:
            yield held

    async def aclose(self) -> None:
        await self._inner.aclose()
