"""The cases of bug reports about MCP tools in LangChain, against a tool that stands for a server.

The names of tools, the checking of arguments and the wire belong to the MCP side and are tested
there; here, what the model is shown, what reaches the tool, and what the model reads.
"""

import asyncio
import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.utils.function_calling import convert_to_openai_tool

from hackamore.core.content import ResourceLink, TextResource
from hackamore.core.messages import Image, Text
from hackamore.core.tools import ToolOutput
from hackamore.langchain.tools import HackamoreTool, as_langchain_tool

pytestmark = [pytest.mark.anyio, pytest.mark.req("LC-02", "LC-03", "LC-04")]

_FILE = Path(__file__).parents[2] / "cases" / "mcp_langchain.json"
_CASES: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
_CHECKED_BY_THE_SERVER_SIDE = {"30-stringified-json", "33-missing-required"}


def _safe(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]


def _content(found: dict[str, Any]) -> Any:
    match found:
        case {"type": "text", "text": text}:
            return Text(text)
        case {"type": "image", "data": data, "mimeType": kind}:
            return Image(kind, base64.b64decode(data))
        case {"type": "resource", "resource": {"uri": uri, "text": text}}:
            return TextResource(uri, text)
        case {"type": "resource_link", "uri": uri, "name": name, "mimeType": kind}:
            return ResourceLink(uri, name, media_type=kind)
        case _:
            raise AssertionError(found)


def _answer(result: dict[str, Any] | None) -> Any:
    if result is None:
        return "done"
    parts = tuple(map(_content, result.get("content", [])))
    failed, data = result.get("isError", False), result.get("structuredContent")
    return ToolOutput("", content=parts, is_error=failed, structured=data)


def _values_of(value: Any, key: str) -> Iterator[Any]:
    """Yield what stands under `key`, however deep."""
    if isinstance(value, dict):
        for name, inner in value.items():  # pyright: ignore[reportUnknownVariableType] - any JSON
            if name == key:
                yield inner
            yield from _values_of(inner, key)
    if isinstance(value, list):
        for inner in value:  # pyright: ignore[reportUnknownVariableType] - any JSON
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
    assert found == check.get("equals", found)
    if "matches" in check:
        assert re.match(check["matches"], found)


def _assert_message(message: Any, expected: dict[str, Any]) -> None:
    assert message.status == expected["status"]
    said = json.dumps(message.content, ensure_ascii=False)
    assert all(words in said for words in expected.get("contains", []))
    assert not any(words in said for words in expected.get("not_contains", []))
    if "block_types" in expected:
        assert [block["type"] for block in message.content] == expected["block_types"]


async def _invoked(tool: HackamoreTool, call: Any, sync: bool) -> Any:
    return await asyncio.to_thread(tool.invoke, call) if sync else await tool.ainvoke(call)


@pytest.mark.parametrize("case", _CASES, ids=[case["id"] for case in _CASES])
async def test_the_case_comes_out_right(recording: Any, case: dict[str, Any]) -> None:
    asked, expected = case["input"], case["expected"]
    cores = {
        one["name"]: recording(
            _answer(asked.get("result")),
            one["inputSchema"],
            name=_safe(one["name"]),
            description=one.get("description", one["name"]),
            server_tool=one["name"],
        )
        for one in asked["tools"]
    }
    tools = {name: as_langchain_tool(core) for name, core in cores.items()}
    assert len(tools) == expected.get("tool_count", len(asked["tools"]))
    wanted = asked["call"]
    tool, core = tools[wanted["tool"]], cores[wanted["tool"]]
    function = convert_to_openai_tool(tool)["function"]
    for check in expected.get("llm", []):
        _assert_shown(function, check)
    call = {"type": "tool_call", "id": "c1", "name": tool.name, "args": wanted["args"]}
    message = await _invoked(tool, call, bool(asked.get("sync")))
    if case["id"] not in _CHECKED_BY_THE_SERVER_SIDE:
        _assert_message(message, expected.get("message", {"status": "success"}))
        reached = {"name": core.spec.server_tool, "arguments": core.calls[0]}
        assert repr(reached) == repr(expected.get("wire", reached))
    else:
        assert core.calls == [wanted["args"]]


@pytest.mark.parametrize("case", _CASES, ids=[case["id"] for case in _CASES])
async def test_the_case_comes_out_the_same_when_somebody_watches(
    recording: Any, case: dict[str, Any]
) -> None:
    asked = case["input"]
    core = recording(_answer(asked.get("result")), asked["tools"][-1]["inputSchema"])
    tool = as_langchain_tool(core)
    call = {"type": "tool_call", "id": "c1", "name": tool.name, "args": asked["call"]["args"]}
    watched: Any = {"callbacks": [BaseCallbackHandler()]}
    assert await tool.ainvoke(call) == await tool.ainvoke(call, watched)
    assert await asyncio.to_thread(tool.invoke, call, watched) == tool.invoke(call)
    assert core.calls == [asked["call"]["args"]] * 4
