"""A call is made again only where it surely was not executed; its fault stays its own."""

import asyncio
import json
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from hackamore import ConnectionLost, MCPClient, MCPError, MCPServers
from hackamore.core.events import Event

pytestmark = pytest.mark.anyio

_ERRS = """
import json, sys
code, message, log = int(sys.argv[1]), sys.argv[2], sys.argv[3]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] == "initialize":
        answer["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                            "serverInfo": {"name": "s", "version": "1"}}
    elif asked["method"] == "tools/list":
        answer["result"] = {"tools": [{"name": "pay", "inputSchema": {"type": "object"}}]}
    elif asked["method"] == "tools/call":
        open(log, "a").write("paid\\n")
        answer["error"] = {"code": code, "message": message}
    else:
        answer["error"] = {"code": -32601, "message": "unknown"}
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.req("MCP-06")
@pytest.mark.parametrize(
    ("code", "message"),
    [
        (-32600, "Session not found"),
        (-32600, "Browser session not found"),
        (-32001, "session expired"),
        (-32097, "the quota of the day is used up"),
        (-32000, "Connection closed"),
    ],
)
async def test_an_error_of_a_tool_is_no_sign_of_the_connection(
    code: int, message: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    entry = {"command": sys.executable, "args": ["-S", "-c", _ERRS, str(code), message, str(log)]}
    async with MCPClient(entry) as client:
        with pytest.raises(MCPError):
            await client.acall_tool("pay", {})
    assert log.read_text() == "paid\n"


class _Site:
    """An HTTP server in this process: what it answers to calls is up to the test."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.answers: dict[str, tuple[int, str]] = {}
        self.began = asyncio.Event()
        self.release = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await self._one(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(head.lower().partition("content-length:")[2].split("\r\n")[0] or 0)
        body = await reader.readexactly(length)
        status, text = (405, "") if head.startswith(("GET", "DELETE")) else await self._said(body)
        data = text.encode()
        writer.write(
            f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nMcp-Session-Id: s1\r\n"
            f"Content-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        await writer.drain()

    async def _said(self, body: bytes) -> tuple[int, str]:
        asked = json.loads(body)
        if "id" not in asked:
            return 202, ""
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": asked["id"]}
        match asked["method"]:
            case "initialize":
                about = {"name": "s", "version": "1"}
                result: dict[str, Any] = {"protocolVersion": "2025-06-18", "serverInfo": about}
                result["capabilities"] = {"tools": {}}
                return 200, json.dumps(reply | {"result": result})
            case "tools/list":
                tools = [{"name": name, "inputSchema": {"type": "object"}} for name in self.names]
                return 200, json.dumps(reply | {"result": {"tools": tools}})
            case "tools/call":
                return await self._called(asked["params"]["name"], reply)
            case _:
                error = {"code": -32601, "message": "unknown"}
                return 200, json.dumps(reply | {"error": error})

    async def _called(self, name: str, reply: dict[str, Any]) -> tuple[int, str]:
        self.calls.append(name)
        if name == "slow":
            self.began.set()
            await self.release.wait()
        if name in self.answers:
            return self.answers[name]
        content = [{"type": "text", "text": name}]
        return 200, json.dumps(reply | {"result": {"content": content}})

    names = ("slow", "pay", "quick")


@asynccontextmanager
async def _open() -> AsyncGenerator[tuple[_Site, MCPServers], None]:
    site = _Site()
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    config = {"site": {"url": f"http://127.0.0.1:{port}/mcp", "type": "http", "timeout": 5}}
    async with server, MCPServers(config) as servers:
        yield site, servers
        site.release.set()


@pytest.mark.req("MCP-06")
@pytest.mark.parametrize(
    "answer",
    [
        (400, '{"detail": "the amount is too high"}'),
        (400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"paid, but no mail"}}'),
        (404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no such user"}}'),
        (500, '{"detail": "paid, then crashed"}'),
        (429, "{}"),
    ],
)
async def test_a_refusal_over_http_is_told_and_not_tried_again(answer: tuple[int, str]) -> None:
    async with _open() as (site, servers):
        site.answers["pay"] = answer
        with pytest.raises(MCPError):
            await servers.call_tool("site", "pay", {})
        assert site.calls == ["pay"]
        assert (await servers.call_tool("site", "quick", {})).text == "quick"


@pytest.mark.req("MCP-06")
async def test_a_call_whose_session_is_gone_costs_no_other_call() -> None:
    async with _open() as (site, servers):
        slow = asyncio.create_task(servers.call_tool("site", "slow", {}))
        await site.began.wait()
        site.answers["pay"] = (401, "{}")
        with pytest.raises(MCPError, match="wants a login"):
            await servers.call_tool("site", "pay", {})
        site.release.set()
        assert (await slow).text == "slow"


@pytest.mark.req("MCP-06", "UX-06")
async def test_a_watcher_that_fails_costs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def watch(event: Event) -> None:
        raise ValueError(event)

    entry = [sys.executable, "-m", "hackamore.testing.echo_server", "stdio"]
    config = {"echo": {"command": entry[0], "args": entry[1:]}}
    async with MCPServers(config, on_event=watch) as servers:
        assert (await servers.call_tool("echo", "echo", {"text": "hi"})).text == "hi"
    assert "a watcher of MCP servers failed" in caplog.text


@pytest.mark.req("LC-01")
def test_a_loop_that_ends_during_a_call_from_another_one_is_an_error_not_a_cancel() -> None:
    entry = {
        "command": sys.executable,
        "args": [str(Path(__file__).parents[2] / "servers" / "faulty.py"), "hang"],
    }
    servers = MCPServers({"it": entry})
    began = threading.Event()

    async def first() -> None:
        await servers.tools()
        await asyncio.to_thread(began.wait)

    async def second() -> None:
        call = asyncio.create_task(servers.call_tool("it", "echo", {"text": "x"}))
        await asyncio.sleep(0.3)
        began.set()
        with pytest.raises(ConnectionLost):
            await call

    home = threading.Thread(target=asyncio.run, args=(first(),))
    home.start()
    while not servers.status()["it"].tools:
        home.join(0.05)
    asyncio.run(second())
    home.join()
