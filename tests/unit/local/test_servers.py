"""Finding servers that run already."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from hackamore.local.servers import FoundServer, Place, find_servers

pytestmark = [pytest.mark.anyio, pytest.mark.req("UX-03")]


@asynccontextmanager
async def _server(answer: bytes | None) -> AsyncGenerator[int, None]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        if answer is None:
            await reader.read()
        else:
            writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + answer)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_what_answers_is_found_with_its_models() -> None:
    tags = json.dumps({"models": [{"name": "qwen3:8b"}, {"name": "llama3"}]}).encode()
    listed = json.dumps({"data": [{"id": "local-model"}]}).encode()
    async with _server(tags) as ollama, _server(listed) as studio:
        found = await find_servers(
            [Place("ollama", ollama, "/api/tags"), Place("lmstudio", studio, "/v1/models")]
        )
    assert found == [
        FoundServer("ollama", f"http://127.0.0.1:{ollama}", ("qwen3:8b", "llama3")),
        FoundServer("lmstudio", f"http://127.0.0.1:{studio}/v1", ("local-model",)),
    ]


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b'{"models": 3}', b'{"error": "no"}'])
async def test_another_server_on_the_port_is_not_taken_for_one(answer: bytes) -> None:
    async with _server(answer) as port:
        assert await find_servers([Place("ollama", port, "/api/tags")]) == []


async def test_silence_costs_at_most_the_limit() -> None:
    async with _server(None) as port:
        before = time.monotonic()
        assert await find_servers([Place("llama-server", port, "/v1/models")] * 3) == []
        assert time.monotonic() - before < 1.0


async def test_nothing_there_is_no_error() -> None:
    async with _server(None) as port:
        pass
    assert await find_servers([Place("ollama", port, "/api/tags")]) == []
