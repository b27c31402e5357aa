"""`MCPServers`: opening, waiting, refreshing, and what servers offer besides tools."""

import asyncio
import contextlib
import json
import os
import signal
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

import hackamore
from hackamore.core.errors import ConfigError, MCPError, ServerUnavailable, UsageError
from hackamore.core.events import ServerChanged
from hackamore.mcp.shapes import Completion
from servers.starting import echo_command, fault_command, modern_command, public_command, served
from servers.using import until

pytestmark = [pytest.mark.anyio]


def _entry(command: list[str], **more: Any) -> dict[str, Any]:
    return {"command": command[0], "args": command[1:], **more}


def _servers(**entries: Any) -> hackamore.MCPServers:
    return hackamore.MCPServers({"mcpServers": entries})


@asynccontextmanager
async def _modern(transport: str, **more: Any) -> AsyncGenerator[hackamore.MCPServers]:
    """Use the server that has everything, in one of its ways."""
    if transport == "stdio":
        async with _servers(modern=_entry(modern_command(), **more)) as servers:
            yield servers
    else:
        with served(modern_command(f"--{transport}")) as url:
            address = url.replace("/mcp", "/sse") if transport == "sse" else url
            async with _servers(modern={"url": address, **more}) as servers:
                yield servers


_WAYS = pytest.mark.parametrize(
    ("transport", "protocol"),
    [("stdio", "auto"), ("stdio", "legacy"), ("http", "auto"), ("http", "legacy"), ("sse", "auto")],
)


@pytest.mark.req("MCP-05")
async def test_entering_connects_nothing_and_opening_connects_all() -> None:
    async with _servers(a=_entry(echo_command("stdio")), b=_entry(echo_command("stdio"))) as both:
        assert {status.state for status in both.status().values()} == {"idle"}
        await both.open()
        assert {status.state for status in both.status().values()} == {"ready"}
        assert {status.tools for status in both.status().values()} == {1}
    assert both.status()["a"].state == "idle"


@pytest.mark.req("MCP-05")
async def test_opening_fails_for_what_is_required_and_for_nothing_else() -> None:
    fine, missing = _entry(echo_command("stdio")), {"command": "/no/such/bin"}
    async with _servers(fine=fine, missing=missing) as servers:
        await servers.open()
        assert servers.status()["missing"].state == "failed"
    async with _servers(fine=fine, missing=missing | {"required": True}) as servers:
        with pytest.raises(MCPError, match="'missing'"):
            await servers.open()
        assert servers.status()["fine"].state == "ready"


@pytest.mark.req("MCP-05")
async def test_servers_are_opened_together() -> None:
    slow = _entry(fault_command("slow-start", "--seconds", "0.7"))
    async with _servers(a=slow, b=slow, c=slow, d=slow) as servers:
        begun = time.monotonic()
        await servers.open()
        assert time.monotonic() - begun < 2


@pytest.mark.req("MCP-05")
async def test_a_server_that_is_not_ready_in_time_joins_later() -> None:
    slow = _entry(fault_command("slow-start", "--seconds", "0.8"))
    async with _servers(slow=slow, fine=_entry(echo_command("stdio"))) as servers:
        begun = time.monotonic()
        tools = await servers.langchain_tools(wait=0.4)
        assert time.monotonic() - begun < 0.75
        assert [tool.name for tool in tools] == ["fine__echo"]
        await until(lambda: servers.status()["slow"].state == "ready")
        tools = await servers.langchain_tools(wait=0)
        assert [tool.name for tool in tools] == ["slow__echo", "fine__echo"]


@pytest.mark.req("MCP-02")
async def test_a_disabled_server_is_neither_started_nor_offered() -> None:
    async with _servers(off=_entry(echo_command("stdio"), disabled=True)) as servers:
        await servers.open()
        assert await servers.tools() == []
        assert servers.status()["off"].state == "stopped"
        with pytest.raises(ServerUnavailable, match="disabled"):
            await servers.call_tool("off", "echo", {"text": "a"})


@pytest.mark.req("MCP-02")
async def test_a_wrong_entry_is_in_the_status_and_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    entries = {"wrong": {"command": 7}, "fine": _entry(echo_command("stdio"))}
    path.write_text(json.dumps({"mcpServers": entries}), encoding="utf-8")
    async with hackamore.MCPServers(path) as servers:
        assert servers.status()["wrong"].state == "failed"
        assert "command" in (servers.status()["wrong"].error or "")
        assert any("wrong" in str(problem) for problem in servers.problems)
        assert (await servers.call_tool("fine", "echo", {"text": "a"})).text == "a"


@pytest.mark.req("MCP-02")
def test_a_file_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        hackamore.MCPServers(tmp_path / "none.json")


@pytest.mark.req("MCP-02")
async def test_a_server_or_tool_that_is_not_there_is_told_with_those_that_are() -> None:
    async with _servers(it=_entry(echo_command("stdio"))) as servers:
        with pytest.raises(UsageError, match="Configured: it"):
            await servers.call_tool("other", "echo", {})
        output = await servers.call_tool("it", "other", {})
        assert output.is_error
        assert "It has: echo" in output.text


@pytest.mark.req("MCP-07")
async def test_a_refresh_by_hand_reads_the_list_anew() -> None:
    async with _modern("stdio") as servers:
        before = {tool.spec.name for tool in await servers.tools()}
        await servers.call_tool("modern", "grow", {})
        after = {tool.spec.name for tool in await servers.tools(refresh=True)}
        assert after - before == {"modern__grown"}


@pytest.mark.req("MCP-07", "MCP-04")
@_WAYS
async def test_a_tool_more_is_noticed_in_every_way_of_speaking(
    transport: str, protocol: str
) -> None:
    async with _modern(transport, protocol=protocol) as servers:
        await servers.tools()
        await servers.call_tool("modern", "grow", {})
        await until(lambda: len(servers.known_tools()) == 8)
        assert "modern__grown" in {tool.spec.name for tool in await servers.tools()}


@pytest.mark.req("MCP-08", "LC-01")
async def test_names_stay_when_servers_are_added() -> None:
    echo = _entry(echo_command("stdio"))
    async with _servers(a=echo) as one, _servers(z=echo, a=echo) as two:
        (name,) = [tool.name for tool in await one.langchain_tools()]
        assert name in {tool.name for tool in await two.langchain_tools()}


@pytest.mark.req("MCP-09", "LC-07", "MCP-03", "MCP-04")
@_WAYS
async def test_resources_prompts_and_completions_in_every_way_of_speaking(
    transport: str, protocol: str
) -> None:
    async with _modern(transport, protocol=protocol) as servers:
        found = await servers.resources()
        assert {(one.uri, one.template) for one in found} == {
            ("notes://today", False),
            ("notes://picture", False),
            ("city://{city}/weather", True),
        }
        (note,) = await servers.read_resource("modern", "notes://today")
        assert (note.as_string(), note.mimetype) == ("# Today\nBuy milk.", "text/markdown")
        (picture,) = await servers.read_resource("modern", "notes://picture")
        assert (picture.as_bytes(), picture.mimetype) == (b"GIF89a", "image/gif")
        (weather,) = await servers.read_resource("modern", "city://Oslo/weather")
        assert weather.as_string() == "Oslo: 21.5"
        (prompt,) = await servers.prompts("modern")
        assert [(one.name, one.required) for one in prompt.arguments] == [
            ("city", True),
            ("style", False),
        ]
        messages = await servers.get_prompt("modern", "describe", {"city": "Oslo"})
        assert messages == [HumanMessage("Describe Oslo in a short style.")]
        wanted = Completion("prompt", "describe", "city", "O")
        assert await servers.complete("modern", wanted) == ["Oslo", "Ottawa"]
        wanted = Completion("resource", "city://{city}/weather", "city", "Pa")
        assert await servers.complete("modern", wanted) == ["Paris"]
        assert servers.instructions() == {"modern": "Ask for the weather of a city."}


@pytest.mark.req("MCP-09")
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_subscription_is_told_of_changes(transport: str) -> None:
    told: list[tuple[str, str]] = []
    async with _modern(transport) as servers:
        await servers.subscribe(
            "modern", "notes://today", lambda server, uri: told.append((server, uri))
        )
        async with asyncio.timeout(10):
            while not told:  # until the server has heard of the subscription
                await servers.call_tool("modern", "touch", {})
                await asyncio.sleep(0.05)
    assert told[0] == ("modern", "notes://today")


def _kill_children_named(name: str) -> None:
    for listed in Path("/proc/self/task").glob("*/children"):
        for pid in listed.read_text().split():
            if name in Path(f"/proc/{pid}/cmdline").read_text():
                os.kill(int(pid), signal.SIGKILL)


@pytest.mark.req("MCP-09", "MCP-06")
async def test_a_subscription_goes_on_when_the_server_was_started_again() -> None:
    told: list[str] = []
    async with _modern("stdio") as servers, asyncio.timeout(20):
        await servers.subscribe("modern", "notes://today", lambda server, uri: told.append(uri))
        _kill_children_named("modern.py")
        with contextlib.suppress(MCPError):
            await servers.call_tool("modern", "touch", {})
        told.clear()
        while not told:  # until the new process has heard of the subscription
            await servers.call_tool("modern", "touch", {})
            await asyncio.sleep(0.05)
    assert told[0] == "notes://today"


@pytest.mark.req("MCP-09")
async def test_a_server_that_offers_no_subscriptions_says_so() -> None:
    async with _modern("stdio", protocol="legacy") as servers:
        with pytest.raises(MCPError, match=r"refused .*notes://today"):
            await servers.subscribe("modern", "notes://today", lambda server, uri: None)


@pytest.mark.req("MCP-09")
async def test_what_a_server_does_not_have_is_refused_in_its_words() -> None:
    async with _modern("stdio") as servers:
        with pytest.raises(MCPError, match="notes://nothing"):
            await servers.read_resource("modern", "notes://nothing")
        with pytest.raises(MCPError, match="nothing"):
            await servers.get_prompt("modern", "nothing")
    async with _servers(it=_entry(echo_command("stdio"))) as servers:
        assert await servers.resources() == []
        assert await servers.prompts() == []
        with pytest.raises(MCPError):
            await servers.read_resource("it", "notes://today")


@pytest.mark.req("MCP-09", "LC-07", "LC-04")
async def test_the_public_server_with_everything_works_from_end_to_end() -> None:
    events: list[Any] = []
    entry = _entry(public_command("everything"), timeout=30)
    options: Any = {"on_event": events.append}
    async with hackamore.MCPServers({"mcpServers": {"all": entry}}, **options) as servers:
        tools = {tool.name: tool for tool in await servers.langchain_tools()}
        call = {"type": "tool_call", "id": "c1", "name": "all__echo", "args": {"message": "hi"}}
        assert "hi" in str((await tools["all__echo"].ainvoke(call)).content)
        assert len(await servers.resources("all")) > 1
        resource = (await servers.resources("all"))[0]
        assert await servers.read_resource("all", resource.uri)
        await servers.subscribe("all", resource.uri, lambda server, uri: None)
        prompts = await servers.prompts("all")
        bare = next(one for one in prompts if not one.arguments)
        messages = await servers.get_prompt("all", bare.name)
        assert all(isinstance(message, HumanMessage | AIMessage) for message in messages)
        assert "all" in servers.instructions()
    assert any(isinstance(event, ServerChanged) and event.state == "ready" for event in events)


@pytest.mark.req("MCP-03", "LC-01")
@pytest.mark.parametrize(
    ("server", "tool", "args"),
    [
        ("time", "get_current_time", {"timezone": "UTC"}),
        ("memory", "read_graph", {}),
        ("filesystem", "list_allowed_directories", {}),
    ],
)
async def test_public_servers_work_as_langchain_tools(
    server: str, tool: str, args: dict[str, Any], tmp_path: Path
) -> None:
    flags = (str(tmp_path),) if server == "filesystem" else ()
    entry = _entry(public_command(server, *flags), timeout=30)
    async with hackamore.MCPClient(entry) as client:
        tools = {one.name: one for one in await client.ato_langchain_tools()}
        message = await tools[tool].ainvoke(
            {"type": "tool_call", "id": "c1", "name": tool, "args": args}
        )
        assert message.status == "success"
        wrong = {"type": "tool_call", "id": "c2", "name": tool, "args": {"timezone": 7}}
        if server == "time":
            assert (await tools[tool].ainvoke(wrong)).status == "error"
