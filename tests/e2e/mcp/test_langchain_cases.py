"""The cases of bug reports about MCP tools in LangChain, with real servers from end to end.

Each runs over stdio, every third one over HTTP as well. What reached the server is compared with
what its own log says, value for value.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

import hackamore
from servers.starting import echo_command, served

pytestmark = [pytest.mark.anyio, pytest.mark.req("LC-01", "LC-02", "LC-03", "LC-04", "MCP-08")]

_FILE = Path(__file__).parents[2] / "cases" / "mcp_langchain.json"
_CASES: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
_PAGE_SIZE = "7"
_RUNS = [
    pytest.param(case, transport, id=f"{case['id']}-{transport}")
    for number, case in enumerate(_CASES)
    for transport in (["stdio", "http"] if number % 3 == 0 else ["stdio"])
]


class _Scene:
    """A server that plays a case, and its log."""

    def __init__(self, folder: Path, case: dict[str, Any]) -> None:
        asked = case["input"]
        self._log = folder / "wire.log"
        tools, results = folder / "tools.json", folder / "results.json"
        tools.write_text(json.dumps(asked["tools"]), encoding="utf-8")
        scripted = {asked["call"]["tool"]: asked["result"]} if "result" in asked else {}
        results.write_text(json.dumps(scripted), encoding="utf-8")
        self._flags = (
            "--tools",
            str(tools),
            "--results",
            str(results),
            "--wire-log",
            str(self._log),
        )
        self._flags += ("--page-size", _PAGE_SIZE)

    @asynccontextmanager
    async def client(self, transport: str, **options: Any) -> AsyncGenerator[hackamore.MCPClient]:
        """Give a client of the server."""
        async with AsyncExitStack() as stack:
            if transport == "http":
                target: Any = stack.enter_context(
                    served(echo_command("http", "--until-eof", *self._flags))
                )
            else:
                command = echo_command("stdio", *self._flags)
                target = {"command": command[0], "args": command[1:]}
            yield await stack.enter_async_context(hackamore.MCPClient(target, **options))

    def wire(self) -> list[Any]:
        """Return the calls that reached the server."""
        if not self._log.exists():
            return []
        return [json.loads(line) for line in self._log.read_text(encoding="utf-8").splitlines()]


def _values_of(value: Any, key: str) -> Iterator[Any]:
    """Yield what stands under `key`, however deep."""
    if isinstance(value, dict):
        for name, inner in value.items():  # pyright: ignore[reportUnknownVariableType]  # any JSON
            if name == key:
                yield inner
            yield from _values_of(inner, key)
    if isinstance(value, list):
        for inner in value:  # pyright: ignore[reportUnknownVariableType]  # any JSON
            yield from _values_of(inner, key)


def _assert_shown(function: Any, check: dict[str, Any]) -> None:
    if check.get("resolve_refs"):
        assert not list(_values_of(function, "$ref"))
        return
    if "no_key" in check:
        assert not list(_values_of(function, check["no_key"]))
        return
    found = function
    for step in check["path"]:
        assert step in found
        found = found[step]
    if "equals" in check:
        assert found == check["equals"]
    if "matches" in check:
        assert re.match(check["matches"], found)


def _assert_message(message: Any, expected: dict[str, Any]) -> None:
    assert isinstance(message, ToolMessage)
    assert message.status == expected["status"], message.content
    said = json.dumps(message.content, ensure_ascii=False)
    assert all(words in said for words in expected.get("contains", []))
    assert not any(words in said for words in expected.get("not_contains", []))
    if "block_types" in expected:
        blocks: Any = message.content
        assert [block["type"] for block in blocks] == expected["block_types"]


def _find(tools: list[BaseTool], case: dict[str, Any]) -> BaseTool:
    """Return the tool that is called: the one that knows its name on the server."""
    wanted = case["input"]["call"]["tool"]
    (tool,) = [one for one in tools if (one.metadata or {})["server_tool"] == wanted]
    return tool


def _call_of(tool: BaseTool, case: dict[str, Any]) -> Any:
    args = json.loads(json.dumps(case["input"]["call"]["args"]))
    return {"type": "tool_call", "id": "c1", "name": tool.name, "args": args}


def _assert_tools(tools: list[BaseTool], case: dict[str, Any]) -> None:
    expected = case["expected"]
    assert len(tools) == expected.get("tool_count", len(case["input"]["tools"]))
    names = [tool.name for tool in tools]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names)
    function = convert_to_openai_tool(_find(tools, case))["function"]
    for check in expected.get("llm", []):
        _assert_shown(function, check)


def _assert_outcome(message: Any, wire: list[Any], case: dict[str, Any]) -> None:
    expected = case["expected"]
    _assert_message(message, expected.get("message", {"status": "success"}))
    if "wire" in expected:
        reached = [] if expected["wire"] is None else [expected["wire"]]
        assert json.dumps(wire, sort_keys=True) == json.dumps(reached, sort_keys=True)
    else:
        assert wire == [{"name": case["input"]["call"]["tool"], "arguments": {}}]


@pytest.mark.parametrize(("case", "transport"), _RUNS)
async def test_the_case_comes_out_right_from_the_model_to_the_server_and_back(
    case: dict[str, Any], transport: str, tmp_path: Path
) -> None:
    scene = _Scene(tmp_path, case)
    async with scene.client(transport) as client:
        tools = await client.ato_langchain_tools()
        _assert_tools(tools, case)
        tool = _find(tools, case)
        call = _call_of(tool, case)
        message = await tool.ainvoke(call)
        assert call == _call_of(tool, case)
    _assert_outcome(message, scene.wire(), case)


@pytest.mark.parametrize("case", _CASES, ids=[case["id"] for case in _CASES])
def test_the_case_comes_out_right_without_a_loop(case: dict[str, Any], tmp_path: Path) -> None:
    scene = _Scene(tmp_path, case)
    command = echo_command("stdio", *scene._flags)
    with hackamore.MCPClient({"command": command[0], "args": command[1:]}) as client:
        tools = client.to_langchain_tools()
        _assert_tools(tools, case)
        tool = _find(tools, case)
        message = tool.invoke(_call_of(tool, case))
    _assert_outcome(message, scene.wire(), case)


_SYNC = next(case for case in _CASES if case["input"].get("sync"))


@pytest.mark.parametrize("place", ["thread", "running loop"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_tool_can_be_invoked_from_a_thread_and_inside_a_running_loop(
    place: str, transport: str, tmp_path: Path
) -> None:
    scene = _Scene(tmp_path, _SYNC)
    async with scene.client(transport) as client:
        tools = await client.ato_langchain_tools()
        tool = _find(tools, _SYNC)
        if place == "thread":
            message = await asyncio.to_thread(tool.invoke, _call_of(tool, _SYNC))
        else:
            message = tool.invoke(_call_of(tool, _SYNC))
    _assert_outcome(message, scene.wire(), _SYNC)


async def test_a_listener_of_one_client_hears_nothing_of_another(tmp_path: Path) -> None:
    heard: list[Any] = []
    case = next(one for one in _CASES if one["id"] == "55-session-kwargs-none")
    entry_before = json.dumps(case)
    scene = _Scene(tmp_path, case)
    async with (
        scene.client("stdio", on_event=heard.append) as listening,
        scene.client("stdio") as other,
    ):
        await other.ato_langchain_tools()
        assert heard == []
        await listening.ato_langchain_tools()
        assert heard
    assert json.dumps(case) == entry_before


@pytest.mark.req("MCP-02")
async def test_a_tool_with_a_dangling_reference_still_works(tmp_path: Path) -> None:
    case = next(one for one in _CASES if one["id"] == "50-bad-tool-isolated")
    async with _Scene(tmp_path, case).client("stdio") as client:
        bad = next(tool for tool in await client.ato_langchain_tools() if tool.name == "bad")
        assert "$ref" not in json.dumps(convert_to_openai_tool(bad))
        message = await bad.ainvoke(
            {"type": "tool_call", "id": "c1", "name": "bad", "args": {"x": [1]}}
        )
        assert message.status == "success"
