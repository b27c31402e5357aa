"""The servers of these tests do what they say, seen through the protocol's own SDK."""

import subprocess
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, ElicitResult, TextContent

from servers.starting import (
    echo_command,
    fault_command,
    fault_site,
    modern_command,
    public_command,
    recorded,
    served,
)

pytestmark = pytest.mark.anyio
_WORDS = {"text": "hi"}
_LINE = '{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}\n'
_SITES_THAT_LOSE = (
    "lost-404",
    "lost-404-32600",
    "lost-400-32600",
    "lost-404-32603",
    "lost-400-32603",
    "lost-200-32600",
)


def _stdio(command: list[str]) -> StdioServerParameters:
    return StdioServerParameters(command=command[0], args=command[1:])


@asynccontextmanager
async def _connected(command: list[str], mode: str = "legacy") -> AsyncGenerator[Client]:
    """Connect over stdio, with the server's stderr in nobody's way."""
    with tempfile.TemporaryFile("w") as errors:
        transport = stdio_client(_stdio(command), errlog=errors)
        async with Client(transport, mode=mode) as client:
            yield client


def _text(result: CallToolResult) -> str:
    block = result.content[0]
    assert isinstance(block, TextContent)
    return block.text


def _said(fault: str, *requests: tuple[str, str], flags: tuple[str, ...] = ()) -> bytes:
    """Return what a faulty server prints, up to its first message, when it is asked."""
    lines = [_LINE % (number, *request) for number, request in enumerate(requests, start=1)]
    command = fault_command(fault, *flags)
    process = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("".join(lines).encode())
    process.stdin.flush()
    said = [process.stdout.readline()]
    while b'"jsonrpc"' not in said[-1]:
        said.append(process.stdout.readline())
    process.communicate()
    return b"".join(said)


@pytest.mark.req("MCP-03")
async def test_the_echo_server_speaks_over_stdio_and_over_http() -> None:
    async with Client(_stdio(echo_command("stdio", "--strict"))) as client:
        assert _text(await client.call_tool("echo", _WORDS)) == "hi"
    with served(echo_command("http", "--strict", "--until-eof")) as url:
        async with Client(url) as client:
            assert _text(await client.call_tool("echo", _WORDS)) == "hi"


@pytest.mark.req("MCP-04")
@pytest.mark.parametrize(("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
@pytest.mark.parametrize("over_http", [False, True])
async def test_the_modern_server_speaks_both_eras_and_asks_in_each(
    mode: str, revision: str, *, over_http: bool
) -> None:
    async def answer(context: object, params: object) -> ElicitResult:
        return ElicitResult(action="accept", content={"name": "Ada"})

    async def use(target: Any) -> None:
        async with Client(target, mode=mode, elicitation_callback=answer) as client:
            assert client.protocol_version == revision
            greeting = await client.call_tool("greet", {"greeting": "Hello"})
            assert _text(greeting) == "Hello, Ada!"

    if over_http:
        with served(modern_command("--http")) as url:
            await use(url)
    else:
        await use(_stdio(modern_command()))


@pytest.mark.req("MCP-04")
@pytest.mark.parametrize(
    ("server", "revision", "tool"),
    [
        ("time", "2026-07-28", "get_current_time"),
        ("git", "2026-07-28", "git_status"),
        ("fetch", "2026-07-28", "fetch"),
        ("everything", "2025-11-25", "echo"),
        ("filesystem", "2025-11-25", "read_text_file"),
        ("memory", "2025-11-25", "read_graph"),
    ],
)
async def test_public_servers_speak_the_era_that_is_theirs(
    server: str, revision: str, tool: str, tmp_path: Path
) -> None:
    flags = (str(tmp_path),) if server == "filesystem" else ()
    async with _connected(public_command(server, *flags), mode="auto") as client:
        assert client.protocol_version == revision
        assert tool in {listed.name for listed in (await client.list_tools()).tools}


@pytest.mark.req("MCP-06")
async def test_a_public_server_dies_at_its_start_beside_this_sdk(tmp_path: Path) -> None:
    with pytest.raises((MCPError, ExceptionGroup)):
        async with _connected(public_command("sqlite", "--db-path", str(tmp_path / "a.db"))):
            pass


@pytest.mark.req("MCP-03")
async def test_the_legacy_site_refuses_a_post_and_speaks_over_its_stream() -> None:
    with fault_site("legacy-sse") as url:
        async with httpx2.AsyncClient() as http:
            assert (await http.post(url, json={})).status_code == 405
        async with Client(sse_client(url), mode="legacy") as client:
            assert _text(await client.call_tool("echo", _WORDS)) == "hi"


@pytest.mark.req("MCP-04")
async def test_a_server_that_dies_on_discover_shakes_hands_in_the_legacy_mode() -> None:
    with pytest.raises((MCPError, ExceptionGroup)):
        async with Client(_stdio(fault_command("die-on-discover"))):
            pass
    async with Client(_stdio(fault_command("die-on-discover")), mode="legacy") as client:
        assert client.protocol_version == "2025-11-25"


@pytest.mark.req("MCP-06")
@pytest.mark.parametrize("fault", _SITES_THAT_LOSE)
async def test_a_site_loses_its_session_once_and_does_not_run_the_refused_call(
    fault: str, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    with fault_site(fault, "--record", str(record)) as url:
        async with Client(url, mode="legacy") as client:
            await client.list_tools()
            await client.call_tool("echo", _WORDS)
            with pytest.raises(MCPError):
                await client.call_tool("echo", _WORDS)
        async with Client(url, mode="legacy") as client:
            await client.call_tool("echo", _WORDS)
            await client.call_tool("echo", _WORDS)
    assert len(recorded(record, "call")) == 3


@pytest.mark.req("MCP-06")
async def test_a_fault_marked_once_happens_once(tmp_path: Path) -> None:
    command = fault_command("exit-in-call", "--once", str(tmp_path / "happened"))
    async with _connected(command) as client:
        with pytest.raises(MCPError):
            await client.call_tool("echo", _WORDS)
    async with _connected(command) as client:
        assert _text(await client.call_tool("echo", _WORDS)) == "hi"


@pytest.mark.req("MCP-09")
@pytest.mark.parametrize("over_http", [False, True])
async def test_a_server_asks_in_the_middle_of_a_call_and_says_the_answer(
    *, over_http: bool
) -> None:
    async def answer(context: object, params: object) -> ElicitResult:
        return ElicitResult(action="decline")

    async def use(target: Any) -> None:
        async with Client(target, mode="legacy", elicitation_callback=answer) as client:
            assert _text(await client.call_tool("echo", {})) == '{"action": "decline"}'

    if over_http:
        with fault_site("ask-form") as url:
            await use(url)
    else:
        await use(_stdio(fault_command("ask-form")))


@pytest.mark.req("MCP-12")
async def test_a_redirect_arrives_at_another_origin_that_notes_the_headers(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with fault_site("redirect", "--record", str(record)) as url:
        async with httpx2.AsyncClient(follow_redirects=True) as http:
            answer = await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert answer.json()["result"] == {}
    (arrived,) = recorded(record, "arrived")
    assert arrived["host"] not in url


@pytest.mark.req("MCP-11")
def test_noise_without_a_line_end_stands_on_the_line_of_the_answer() -> None:
    said = _said("noise-before-reply", ("tools/call", '{"name": "echo"}'))
    assert said.startswith(b'loading... {"jsonrpc"')


@pytest.mark.req("MCP-11")
def test_a_result_that_is_not_utf_8_is_not_utf_8() -> None:
    assert b"caf\xe9 \xff\xfe end" in _said("bad-text", ("tools/call", '{"name": "echo"}'))


@pytest.mark.req("MCP-11")
def test_a_long_line_is_one_line_of_the_asked_length() -> None:
    flags = ("--count", "3000000")
    said = _said("long-noise", ("tools/call", '{"name": "echo"}'), flags=flags)
    assert [len(line) > 2_999_999 for line in said.splitlines()] == [True, False]


@pytest.mark.req("MCP-10")
def test_what_a_client_tells_a_server_that_hangs_is_written_down(tmp_path: Path) -> None:
    record = tmp_path / "record"
    process = subprocess.Popen(fault_command("hang", "--record", str(record)), stdin=-1)
    call = _LINE % (1, "tools/call", '{"name": "echo"}')
    cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n'
    process.communicate((call + cancel).encode())
    assert recorded(record, "notification")[0]["params"] == {"requestId": 1}
