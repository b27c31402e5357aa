"""The security cases about MCP, each by its id, and those of agents' bug reports.

Some belong to what is not built yet: mcp-031 (images in the final answer) to the editor's web view,
mcp-037 (hosts with a NUL) to the proxy of the sandbox. Each other one has a test here, or one in a
file beside this that says the same of a whole run (`_ELSEWHERE`).
"""

import asyncio
import json
import re
import time
from pathlib import Path
from typing import Any, Final

import pytest

from hackamore.core.codes import Code
from hackamore.core.errors import ConnectionLost, MCPError, ServerUnavailable
from hackamore.core.events import ServerLogged
from hackamore.mcp.config import read_servers
from hackamore.mcp.hooks import Hooks
from servers.starting import echo_command, fault_command, fault_site, recorded
from servers.using import used

pytestmark = [pytest.mark.anyio]

_CASES: Final = Path(__file__).parents[2] / "cases"
_SECURITY: Final[dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((_CASES / "security_mcp.json").read_text(encoding="utf-8"))
}
_LATER: Final = {"mcp-031", "mcp-037"}
_ELSEWHERE: Final = {
    "mcp-015": "test_memory_and_soak.py",
    "mcp-024": "test_runs.py",
    "mcp-028": "test_runs.py",
    "mcp-029": "test_runs.py",
}
_OF_AGENTS: Final = {
    "mcp-003-exit-then-call": "test_runs.py",
    "mcp-004-server-ping-id-collision": "test_runs.py",
    "mcp-005-pagination": "test_runs.py",
    "mcp-009-list-changed": "test_runs.py",
    "mcp-012-bad-command": "test_runs.py",
    "mcp-015-type-aliases": "test_security_cases.py",
    "mcp-016-autoapprove-alias": "test_security_cases.py",
    "mcp-018-name-64": "test_security_cases.py",
}
_LONG: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _agents_case(name: str) -> dict[str, Any]:
    lines = (_CASES / "agent_behaviour.json").read_text(encoding="utf-8")
    return next(case for case in json.loads(lines) if case["id"] == name)


def _served(folder: Path, *tools: dict[str, Any]) -> list[str]:
    """Return the command of an echo server with tools of one's choice."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    path = folder / "tools.json"
    full = [{"inputSchema": schema, **tool} for tool in tools]
    path.write_text(json.dumps(full), encoding="utf-8")
    return echo_command("stdio", "--tools", str(path), "--wire-log", str(folder / "wire.log"))


@pytest.mark.req("UX-05")
def test_each_case_has_its_test() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    tested = {name.replace("_", "-") for name in re.findall(r"def test_(mcp_\d+)_", here)}
    assert tested | _LATER | set(_ELSEWHERE) == set(_SECURITY)
    lines = (_CASES / "agent_behaviour.json").read_text(encoding="utf-8")
    assert {case["id"] for case in json.loads(lines) if case["area"] == "mcp"} == set(_OF_AGENTS)
    assert all((Path(__file__).parent / name).exists() for name in _ELSEWHERE.values())


@pytest.mark.req("MCP-15")
async def test_mcp_002_tag_characters_in_a_description_are_taken_out(tmp_path: Path) -> None:
    words = _SECURITY["mcp-002"]["input"]["description"]
    async with used(_served(tmp_path, {"name": "add", "description": words})) as it:
        (tool,) = await it.servers.tools()
    assert tool.spec.description == "Adds"


@pytest.mark.req("MCP-15")
async def test_mcp_003_terminal_escapes_in_a_result_are_taken_out(tmp_path: Path) -> None:
    words = _SECURITY["mcp-003"]["input"]["result"]
    async with used(fault_command("none")) as it:
        assert await it.said(text=words) == "hidden x "


@pytest.mark.req("MCP-08")
async def test_mcp_007_two_servers_with_one_tool_name_keep_apart(tmp_path: Path) -> None:
    case = _SECURITY["mcp-007"]["input"]
    command = _served(tmp_path, {"name": case["a"]})
    others = {"b": {"command": command[0], "args": command[1:]}}
    async with used(command, others=others) as it:
        names = [tool.spec.name for tool in await it.servers.tools()]
    assert names == ["it__read_file", "b__read_file"]


@pytest.mark.req("MCP-08")
async def test_mcp_008_a_name_that_no_model_takes_is_mapped_and_back(tmp_path: Path) -> None:
    name = _SECURITY["mcp-008"]["input"]["name"]
    async with used(_served(tmp_path, {"name": name}, {"name": f"{name}y"})) as it:
        first, second = await it.servers.tools()
        assert _LONG.fullmatch(first.spec.name)
        assert first.spec.name != second.spec.name
        await second.run({"text": "a"}, it.context())
    log = (tmp_path / "wire.log").read_text(encoding="utf-8")
    assert json.loads(log)["name"] == f"{name}y"


@pytest.mark.req("MCP-07")
async def test_mcp_009_ten_thousand_tools_are_bounded_and_told_of() -> None:
    count = str(_SECURITY["mcp-009"]["input"]["tools"])
    async with used(fault_command("many-tools", "--count", count)) as it:
        assert len(await it.servers.tools()) == 1000
        assert any(f"it offers {count} tools" in warning for warning in it.warnings)


@pytest.mark.req("LC-02")
async def test_mcp_010_a_remote_reference_is_never_fetched(tmp_path: Path) -> None:
    listener = await asyncio.start_server(lambda _, writer: asked.append(writer), "127.0.0.1", 0)
    asked: list[Any] = []
    port = listener.sockets[0].getsockname()[1]
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": f"http://127.0.0.1:{port}/x"}, "text": {"type": "string"}},
    }
    async with used(_served(tmp_path, {"name": "echo", "inputSchema": schema})) as it:
        assert not (await it.call("echo", text="a", x=1)).is_error
        assert not (await it.call("echo", text="a", x=[None])).is_error
    listener.close()
    assert asked == []


@pytest.mark.req("MCP-11")
async def test_mcp_014_log_lines_on_stdout_are_passed_over() -> None:
    async with used(fault_command("noise-lines")) as it:
        assert await it.said() == "hi"


@pytest.mark.req("MCP-11")
async def test_mcp_016_a_full_stderr_blocks_nothing() -> None:
    async with used(fault_command("stderr-flood", "--count", "10000000")) as it:
        assert await it.said() == "hi"


@pytest.mark.req("MCP-06")
async def test_mcp_017_a_server_that_exits_in_a_call_fails_all_calls_soon(tmp_path: Path) -> None:
    async with used(fault_command("exit-in-call")) as it:
        await it.servers.open()
        begun = time.monotonic()
        outcomes = await asyncio.gather(
            *(it.call(text=str(number)) for number in range(3)), return_exceptions=True
        )
        assert time.monotonic() - begun < 2
    errors = [one for one in outcomes if isinstance(one, MCPError)]
    assert len(errors) == 3
    assert {error.code for error in errors} == {Code.MCP_SERVER_ERROR}
    assert any(isinstance(error, ConnectionLost) for error in errors)


@pytest.mark.req("MCP-10")
async def test_mcp_018_a_mute_server_ends_by_its_limit_and_others_go_on() -> None:
    fine = echo_command("stdio")
    others = {"fine": {"command": fine[0], "args": fine[1:]}}
    async with used(fault_command("mute-at-initialize"), others=others, connectTimeout=1) as it:
        opening = asyncio.create_task(it.servers.open())
        assert await it.said(server="fine") == "hi"
        await opening
        with pytest.raises(ServerUnavailable):
            await it.call()
        assert await it.said(server="fine") == "hi"


@pytest.mark.req("MCP-11")
async def test_mcp_019_answers_under_wrong_ids_are_ignored() -> None:
    async with used(fault_command("wrong-ids")) as it:
        assert [await it.said(text=one) for one in "abc"] == ["a", "b", "c"]


@pytest.mark.req("MCP-07", "MCP-10")
async def test_mcp_020_a_storm_costs_two_lists_a_second_at_most(tmp_path: Path) -> None:
    record = tmp_path / "record"
    command = fault_command("list-changed-storm", "--count", "100000", "--record", str(record))
    async with used(command) as it:
        await it.servers.open()
        before, begun = recorded(record, "request").count("tools/list"), time.monotonic()
        for number in range(30):
            assert await it.said(text=str(number)) == str(number)
            await asyncio.sleep(0.03)  # the storm has to rage for a while
        listed = recorded(record, "request").count("tools/list") - before
        assert listed <= 2 * (time.monotonic() - begun) + 1


@pytest.mark.req("MCP-09")
async def test_mcp_022_only_the_granted_folders_are_told(tmp_path: Path) -> None:
    async with used(fault_command("ask-roots"), Hooks(roots=(str(tmp_path),))) as it:
        told = json.loads(await it.said())
    assert [root["uri"] for root in told["roots"]] == [tmp_path.as_uri()]


@pytest.mark.req("MCP-12")
async def test_mcp_026_a_redirect_is_not_followed(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with fault_site("redirect", "--record", str(record)) as url:
        async with used([], url=url, headers={"Authorization": "Bearer canary"}) as it:
            with pytest.raises(MCPError):
                await it.call()
    assert recorded(record, "arrived") == []


@pytest.mark.req("MCP-12")
async def test_mcp_027_an_endpoint_at_another_origin_is_refused(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with fault_site("legacy-sse-foreign", "--record", str(record)) as url:
        async with used([], url=url, type="sse", connectTimeout=1) as it:
            with pytest.raises(ServerUnavailable):
                await it.call()
    assert recorded(record, "arrived") == []


@pytest.mark.req("MCP-15")
async def test_what_a_server_logs_holds_no_escapes() -> None:
    async with used(["/bin/sh", "-c", "printf '\\033[8mhidden\\033[0m\\n' >&2; exit 1"]) as it:
        with pytest.raises(ServerUnavailable) as caught:
            await it.call()
        told = [event.text for event in it.events if isinstance(event, ServerLogged)]
    assert "hidden" in str(caught.value)
    assert "\x1b" not in "".join([str(caught.value), *told])


@pytest.mark.req("MCP-03")
def test_the_types_that_other_clients_write_are_understood() -> None:
    entries = _agents_case("mcp-015-type-aliases")["input"]["entries"]
    named = {f"s{number}": entry for number, entry in enumerate(entries)}
    found = read_servers({"mcpServers": named}, source="a test", variables={}, workspace="/")
    kinds = [entry.transport for entry in found.entries]
    assert kinds == ["http", "probe", "http", "http", "http", "stdio"]


@pytest.mark.req("MCP-01")
def test_tools_that_need_no_asking_are_read_in_both_spellings() -> None:
    entry = _agents_case("mcp-016-autoapprove-alias")["input"]["entry"]
    found = read_servers({"mcpServers": {"x": entry}}, source="t", variables={}, workspace="/")
    assert found.entries[0].auto_approve == {"a", "b"}


@pytest.mark.req("MCP-08")
async def test_a_long_server_name_gives_a_valid_name_that_leads_back(tmp_path: Path) -> None:
    case = _agents_case("mcp-018-name-64")["input"]
    command = _served(tmp_path, {"name": case["tool"]})
    others = {case["server"]: {"command": command[0], "args": command[1:]}}
    async with used(fault_command("none"), others=others) as it:
        tools = {tool.spec.server: tool for tool in await it.servers.tools()}
        tool = tools[case["server"]]
        assert _LONG.fullmatch(tool.spec.name)
        assert (tool.spec.server, tool.spec.server_tool) == (case["server"], case["tool"])
        assert not (await tool.run({"text": "a"}, it.context())).is_error
