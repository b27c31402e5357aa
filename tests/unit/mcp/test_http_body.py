"""Bodies of answers: limited by what they become, and readable whatever was cut in them."""

import asyncio
import gzip
import json
import zlib
from collections.abc import AsyncIterator
from itertools import pairwise

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.mcp.http_body import mended_events, whole
from hackamore.mcp.surrogates import without_halves

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-11")]

_REQUEST = httpx2.Request("POST", "http://localhost/mcp")


class _Chunks(httpx2.AsyncByteStream):
    def __init__(self, *chunks: bytes) -> None:
        self._chunks = chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk


def _response(kind: str, *chunks: bytes, encoding: str | None = None) -> httpx2.Response:
    headers = {"content-type": kind, "content-length": str(sum(map(len, chunks)))}
    if encoding is not None:
        headers["content-encoding"] = encoding
    return httpx2.Response(200, headers=headers, stream=_Chunks(*chunks))


def _json(*chunks: bytes, encoding: str | None = None) -> httpx2.Response:
    return _response("application/json; charset=utf-8", *chunks, encoding=encoding)


@pytest.mark.parametrize(
    ("encoding", "encode"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("identity", bytes)],
)
async def test_an_encoded_answer_is_decoded(encoding: str, encode: type[bytes]) -> None:
    response = await whole(_json(encode(b'{"a": 1}'), encoding=encoding), _REQUEST)
    assert await response.aread() == b'{"a": 1}'
    assert "content-encoding" not in response.headers


async def test_an_answer_that_swells_beyond_the_limit_is_refused() -> None:
    bomb = gzip.compress(b"A" * (65 * 1024 * 1024), 1)
    with pytest.raises(httpx2.ReadError, match="larger than 64 MiB"):
        await whole(_json(bomb, encoding="gzip"), _REQUEST)


async def test_an_answer_that_cannot_be_decoded_is_a_fault_of_the_network() -> None:
    with pytest.raises(httpx2.ReadError, match="cannot be decoded"):
        await whole(_json(b"no gzip", encoding="gzip"), _REQUEST)


async def test_half_a_surrogate_pair_in_an_answer_is_replaced() -> None:
    response = await whole(_json(rb'{"a": "cut \ud8', rb'3d"}'), _REQUEST)
    assert await response.aread() == rb'{"a": "cut \ufffd"}'


async def _streamed(*chunks: bytes) -> list[bytes]:
    response = _response("text/event-stream", *chunks)
    mended_events(response)
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    return [chunk async for chunk in response.stream]


async def test_an_event_passes_as_soon_as_it_is_whole() -> None:
    events = [b'data: "\\n\\n"\n\n', b'data: "\\ud83d"\r\n\r\n', b"data: 1\n\n"]
    assert await _streamed(*events) == [events[0], b'data: "\\ufffd"\r\n\r\n', events[2]]


async def test_an_encoded_stream_is_left_alone() -> None:
    response = _response("text/event-stream", rb"\ud83d", encoding="gzip")
    stream = response.stream
    mended_events(response)
    assert response.stream is stream


_PIECES = st.sampled_from([rb"\ud83d", rb"\ude00", rb"\\", rb"\n", rb"\"", b"x", rb"\u00e4", b"u"])


@given(st.lists(_PIECES, max_size=12), st.lists(st.integers(0, 100), max_size=6))
def test_a_stream_is_mended_the_same_however_it_comes(
    pieces: list[bytes], places: list[int]
) -> None:
    event = b'data: "' + b"".join(pieces) + b'"\n\n'
    cuts = [0, *sorted(place % len(event) for place in places), len(event)]
    chunks = asyncio.run(_streamed(*(event[start:end] for start, end in pairwise(cuts))))
    assert b"".join(chunks) == without_halves(event)


@given(st.lists(_PIECES, max_size=12))
def test_no_half_is_left_and_nothing_else_is_changed(pieces: list[bytes]) -> None:
    text = b'"' + b"".join(pieces) + b'"'
    kept = json.loads(text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert json.loads(without_halves(text)) == kept
