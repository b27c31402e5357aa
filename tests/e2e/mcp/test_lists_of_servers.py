"""Lists of tools that are large, broken or restless."""

import asyncio
from pathlib import Path

import pytest

from hackamore.core.errors import MCPError
from servers.starting import echo_command, fault_command, recorded
from servers.using import until, used

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-07")]


async def test_all_pages_are_read() -> None:
    async with used(fault_command("two-pages")) as it:
        assert await it.tools() == ["echo", "added"]


async def test_a_cursor_that_comes_again_ends_the_list_with_a_warning() -> None:
    async with used(fault_command("repeating-cursor")) as it:
        assert await it.tools() == ["echo"]
        assert "its list of tools does not end; 1 were taken" in it.warnings


@pytest.mark.req("MCP-10")
async def test_a_list_without_an_end_is_cut_with_a_warning() -> None:
    async with used(fault_command("endless-pages")) as it:
        assert await it.tools() == [f"tool_{number}" for number in range(1, 101)]
        assert "its list of tools does not end; 100 were taken" in it.warnings


async def test_broken_tools_are_left_out_alone_and_named() -> None:
    async with used(fault_command("bad-tools")) as it:
        kept = await it.tools()
        assert {"echo", "added"} <= set(kept)
        assert "no_schema" not in kept
        assert "schema_is_text" not in kept
        assert await it.said() == "hi"
        said = "\n".join(it.warnings)
        assert "the tool 'no_schema' was left out: inputSchema" in said
        assert "a tool was left out: it is no object but str" in said


async def test_of_two_tools_with_one_name_the_first_counts() -> None:
    async with used(fault_command("same-name")) as it:
        (tool,) = await it.servers.tools()
        assert tool.spec.description == "Say the text back."
        assert it.warnings == ["it lists the tool 'echo' twice; the first counts"]


@pytest.mark.req("MCP-10")
async def test_of_ten_thousand_tools_the_first_thousand_count() -> None:
    async with used(fault_command("many-tools")) as it:
        tools = await it.tools()
        assert len(tools) == 1000
        assert any("it offers 10000 tools; the first 1000 count" in one for one in it.warnings)


async def test_a_tool_that_comes_later_is_offered_once_the_server_says_so() -> None:
    async with used(fault_command("list-changed")) as it:
        assert await it.tools() == ["echo"]
        await it.call()
        await until(lambda: len(it.servers.known_tools()) == 2)
        assert await it.said(tool="added", text="new") == "new"


async def test_a_tool_that_comes_later_can_be_called_before_it_is_listed(tmp_path: Path) -> None:
    async with used(fault_command("list-changed")) as it:
        await it.call()
        assert await it.said(tool="added", text="new") == "new"


@pytest.mark.req("MCP-10")
async def test_a_storm_of_changes_costs_at_most_two_lists_a_second(tmp_path: Path) -> None:
    record = tmp_path / "record"
    command = fault_command("list-changed-storm", "--count", "1000", "--record", str(record))
    async with used(command) as it:
        await it.servers.open()
        before = recorded(record, "request").count("tools/list")
        await asyncio.sleep(1.5)  # the storm has to rage for a while
        assert await it.said() == "hi"
        listed = recorded(record, "request").count("tools/list") - before
        assert 1 <= listed <= 4


@pytest.mark.req("MCP-10")
async def test_a_hundred_thousand_notifications_cost_no_call(tmp_path: Path) -> None:
    command = fault_command("list-changed-storm", "--count", "100000")
    async with used(command) as it:
        for number in range(20):
            assert await it.said(text=str(number)) == str(number)


async def test_a_refresh_that_fails_keeps_the_last_list() -> None:
    async with used(fault_command("list-fails")) as it:
        assert await it.tools() == ["echo"]
        await asyncio.sleep(0.06)  # what was listed a moment ago is not asked for again
        assert await it.tools(refresh=True) == ["echo"]
        assert any("could not be read again" in warning for warning in it.warnings)
        assert await it.said() == "hi"


async def test_an_entry_chooses_among_the_tools(tmp_path: Path) -> None:
    tools = {"include": ["*o*"], "exclude": ["add*"]}
    async with used(fault_command("bad-tools"), tools=tools) as it:
        assert "added" not in await it.tools()
        assert "echo" in await it.tools()
        refused = await it.call("added")
        assert refused.is_error
        assert "has no tool 'added'" in refused.text


async def test_refreshing_a_server_that_never_came_says_why() -> None:
    other = echo_command("stdio")
    others = {"fine": {"command": other[0], "args": other[1:]}}
    async with used(["/no/such/command"], others=others) as it:
        assert [tool.spec.name for tool in await it.servers.tools(refresh=True)] == ["fine__echo"]
        with pytest.raises(MCPError, match="cannot be started"):
            await it.servers.find("it", "echo")
