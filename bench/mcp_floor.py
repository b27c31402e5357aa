"""The least a client can be: hand-written JSON-RPC on asyncio streams, over pipes and HTTP."""

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "floor", "version": "0"},
}


class Floor:
    """Numbers the requests; how they travel is the subclasses' part."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    async def exchange(self, body: bytes, number: int) -> Any:
        raise NotImplementedError

    async def request(self, method: str, params: Any) -> Any:
        number = next(self._numbers)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        answer = await self.exchange(json.dumps(message, separators=(",", ":")).encode(), number)
        return answer["result"]

    async def say(self, text: str) -> str:
        result = await self.request("tools/call", {"name": "echo", "arguments": {"text": text}})
        return result["content"][0]["text"]


class OverStdio(Floor):
    """One reader task, a future for each request."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        super().__init__()
        assert process.stdin is not None
        assert process.stdout is not None
        self._stdin, self._stdout = process.stdin, process.stdout
        self._waiting: dict[int, asyncio.Future[Any]] = {}

    async def exchange(self, body: bytes, number: int) -> Any:
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._stdin.write(body + b"\n")
        return await future

    async def read(self) -> None:
        while line := await self._stdout.readline():
            message = json.loads(line)
            self._waiting.pop(message["id"]).set_result(message)


class OverHTTP(Floor):
    """As many connections as requests at once, all kept."""

    def __init__(self, url: str) -> None:
        super().__init__()
        parts = urlsplit(url)
        self._address = (parts.hostname, parts.port)
        self._path = parts.path.encode()
        self._session = b""
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def exchange(self, body: bytes, number: int) -> Any:
        reader, writer = self._idle.pop() if self._idle else await self._connect()
        writer.write(
            b"POST %s HTTP/1.1\r\nHost: floor\r\nContent-Type: application/json\r\n"
            b"Accept: application/json, text/event-stream\r\n%sContent-Length: %d\r\n\r\n%s"
            % (self._path, self._session, len(body), body)
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        pairs = (line.partition(": ") for line in head.split("\r\n"))
        headers = {name: value for name, _, value in pairs}
        answer = json.loads(await reader.readexactly(int(headers["content-length"])))
        if "mcp-session-id" in headers:
            self._session = b"Mcp-Session-Id: %s\r\n" % headers["mcp-session-id"].encode()
        self._idle.append((reader, writer))
        return answer

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(*self._address)

    def close(self) -> None:
        for _, writer in self._idle:
            writer.close()


@asynccontextmanager
async def floor_stdio(command: Sequence[str]) -> AsyncGenerator[Floor]:
    process = await asyncio.create_subprocess_exec(*command, stdin=-1, stdout=-1)
    client = OverStdio(process)
    reading = asyncio.create_task(client.read())
    await client.request("initialize", _HELLO)
    yield client
    assert process.stdin is not None
    process.stdin.close()
    await process.wait()
    await reading


@asynccontextmanager
async def floor_http(url: str) -> AsyncGenerator[Floor]:
    client = OverHTTP(url)
    await client.request("initialize", _HELLO)
    yield client
    client.close()
