"""Answers of servers are made acceptable: one flaw costs only itself."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import CallToolResult, JSONRPCRequest, ListToolsResult
from mcp_types.methods import parse_server_result

from hackamore.core.content import (
    Audio,
    BlobResource,
    Content,
    ResourceLink,
    TextResource,
    UnknownContent,
)
from hackamore.core.messages import Image, Text
from hackamore.langchain.content import message_content
from hackamore.mcp.results import describe, output_of
from hackamore.mcp.tolerance import MOST_TOOLS, tolerant
from hackamore.mcp.visible import visible

pytestmark = pytest.mark.req("MCP-07")

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
_BLOCKS = st.dictionaries(
    st.sampled_from(
        ["type", "text", "data", "mimeType", "uri", "name", "resource", "blob", "_meta"]
    ),
    _JSON | st.sampled_from(["text", "image", "audio", "resource", "resource_link"]),
    max_size=5,
)
_TOOLS = st.dictionaries(
    st.sampled_from(["name", "description", "inputSchema", "outputSchema", "annotations", "_meta"]),
    _JSON,
    max_size=5,
)
_SCHEMA: dict[str, Any] = {"type": "object", "properties": {}}


def _asked(method: str, **params: Any) -> JSONRPCRequest:
    return JSONRPCRequest(jsonrpc="2.0", id=1, method=method, params=params or None)


def _listed(*tools: Any) -> tuple[list[str], list[str]]:
    """Return the names that are kept, and what is said."""
    said: list[str] = []
    result = ListToolsResult.model_validate(
        tolerant(_asked("tools/list"), {"tools": list(tools)}, said.append), by_name=False
    )
    return [tool.name for tool in result.tools], said


def _called(result: dict[str, Any]) -> CallToolResult:
    changed = tolerant(_asked("tools/call"), result, lambda _: None)
    return CallToolResult.model_validate(changed, by_name=False)


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ({"name": "x"}, "the tool 'x' was left out: inputSchema"),
        ({"name": "x", "inputSchema": [1]}, "the tool 'x' was left out: inputSchema"),
        ({"name": "x", "inputSchema": {"type": "string"}}, "takes no object but 'string'"),
        ({"name": "x", "inputSchema": {"type": ["array", "null"]}}, "takes no object but"),
        ({"name": 7, "inputSchema": _SCHEMA}, "the tool 7 was left out: name"),
        ({"name": "", "inputSchema": _SCHEMA}, "it has no name"),
        ("text", "it is no object but str"),
        (None, "it is no object but NoneType"),
    ],
)
def test_a_broken_tool_is_left_out_alone(tool: Any, words: str) -> None:
    fine = {"name": "fine", "inputSchema": _SCHEMA}
    names, said = _listed(fine, tool, fine | {"name": "too"})
    assert names == ["fine", "too"]
    assert len(said) == 1
    assert words in said[0]


@pytest.mark.parametrize(
    "flaw",
    [
        {"description": 3.5},
        {"annotations": "safe"},
        {"title": ["t"]},
        {"icons": "none"},
        {"outputSchema": "object"},
        {"_meta": "text"},
        {"unheard_of": {"a": 1}},
        {"annotations": {"readOnlyHint": "perhaps"}, "description": 7},
    ],
)
def test_a_flaw_in_what_a_tool_can_do_without_costs_only_that(flaw: dict[str, Any]) -> None:
    assert _listed({"name": "x", "inputSchema": _SCHEMA} | flaw) == (["x"], [])


def _schema_of(schema: Any) -> tuple[Any, list[str]]:
    """Return the schema that is kept, and what is said to be mended."""
    answer = {"tools": [{"name": "x", "inputSchema": schema}]}
    (tool,) = ListToolsResult.model_validate(
        tolerant(_asked("tools/list"), answer, lambda _: None), by_name=False
    ).tools
    meta = tool.meta or {}
    return meta["hackamore/input_schema"], meta["hackamore/mended"]


@pytest.mark.parametrize(
    ("schema", "kept", "mended"),
    [
        ({}, {"type": "object"}, []),
        ({"type": None}, {"type": "object"}, []),
        ({"type": ["object", "null"], "a": 1}, {"type": "object", "a": 1}, []),
        ({"$ref": "#/$defs/A"}, {"type": "object", "$ref": "#/$defs/A"}, []),
        ({"anyOf": [{"required": ["a"]}]}, {"type": "object", "anyOf": [{"required": ["a"]}]}, []),
        ({"type": "object", "properties": []}, {"type": "object"}, []),
        ({"type": "object", "required": None}, {"type": "object"}, []),
        ({"type": "OBJECT"}, {"type": "object"}, ["inputSchema.type"]),
        ({"type": {"a": 1}}, {"type": "object"}, ["inputSchema.type"]),
        ({"required": "a"}, {"type": "object"}, ["inputSchema.required"]),
        ({"required": [["a"]]}, {"type": "object"}, ["inputSchema.required"]),
        ({"properties": "a"}, {"type": "object"}, ["inputSchema.properties"]),
        ({"$schema": 5}, {"type": "object"}, ["inputSchema.$schema"]),
    ],
)
def test_a_schema_that_is_slightly_wrong_is_mended(
    schema: Any, kept: Any, mended: list[str]
) -> None:
    assert _schema_of(schema) == (kept, mended)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-11-25"])
@given(schema=_JSON | st.dictionaries(st.sampled_from(["type", "properties", "required"]), _JSON))
def test_no_schema_costs_other_tools_in_any_revision(version: str, schema: Any) -> None:
    tools = [{"name": "fine", "inputSchema": _SCHEMA}, {"name": "odd", "inputSchema": schema}]
    changed = tolerant(_asked("tools/list"), {"tools": tools}, lambda _: None)
    parse_server_result("tools/list", version, changed)
    assert changed["tools"][0]["name"] == "fine"


def test_which_arguments_become_headers_reaches_the_sdk() -> None:
    header = {"type": "string", "x-mcp-header": "Region"}
    schema = {"properties": {"a": header, "b": True, "c": "none"}, "required": [7]}
    tool = {"name": "x", "inputSchema": schema}
    (sent,) = tolerant(_asked("tools/list"), {"tools": [tool]}, lambda _: None)["tools"]
    properties = {"a": header, "b": {}, "c": {}}
    assert sent["inputSchema"] == {"type": "object", "properties": properties}


def test_more_tools_than_any_model_could_use_are_cut() -> None:
    names, said = _listed(*({"name": f"t{n}", "inputSchema": _SCHEMA} for n in range(1500)))
    assert (len(names), said) == (
        MOST_TOOLS,
        ["it offers 1500 tools; the first 1000 count (see tools.include)"],
    )


def test_notes_beside_a_list_of_tools_cost_nothing() -> None:
    answer: dict[str, Any] = {"tools": [], "_meta": "text"}
    parse_server_result(
        "tools/list", "2025-11-25", tolerant(_asked("tools/list"), answer, lambda _: None)
    )


@pytest.mark.parametrize("listed", ["none", 7, {"a": 1}, None])
def test_a_list_that_is_none_stays_what_it_is(listed: Any) -> None:
    assert tolerant(_asked("tools/list"), {"tools": listed}, lambda _: None) == {"tools": listed}


def test_other_answers_are_left_alone() -> None:
    answer = {"tools": 7, "content": "x"}
    assert tolerant(_asked("prompts/list"), answer, lambda _: None) is answer


def test_in_the_stateless_revision_an_answer_without_a_type_is_complete() -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    asked = _asked("prompts/get", _meta=meta)
    assert tolerant(asked, {"a": 1}, print) == {"a": 1, "resultType": "complete"}
    assert tolerant(asked, {"resultType": "x"}, print) == {"resultType": "x"}


@given(st.lists(_TOOLS | _JSON, max_size=4), _JSON)
def test_no_list_of_tools_is_too_odd(tools: list[Any], cursor: Any) -> None:
    answer = {"tools": tools, "nextCursor": cursor}
    before = copy.deepcopy(answer)
    changed = tolerant(_asked("tools/list"), answer, lambda _: None)
    ListToolsResult.model_validate(changed, by_name=False)
    assert answer == before


@pytest.mark.req("LC-04")
@given(st.lists(_BLOCKS | _JSON, max_size=4) | _JSON, _JSON, _JSON)
def test_no_result_of_a_call_is_too_odd(content: Any, structured: Any, failed: Any) -> None:
    answer = {"content": content, "structuredContent": structured, "isError": failed}
    before = copy.deepcopy(answer)
    output = output_of(_called(answer))
    assert output.text
    assert answer == before


@pytest.mark.req("LC-04")
@pytest.mark.parametrize(
    ("block", "part"),
    [
        ({"type": "text", "text": "a"}, Text("a")),
        ("a", Text("a")),
        ({"type": "image", "data": "aGk=", "mimeType": "image/png"}, Image("image/png", b"hi")),
        ({"type": "image", "data": "aGk", "mimeType": "image/png"}, Image("image/png", b"hi")),
        ({"type": "image", "data": "_-8=", "mimeType": "image/x"}, Image("image/x", b"\xff\xef")),
        ({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}, Audio("audio/wav", b"hi")),
        (
            {"type": "audio", "data": "%%%", "mimeType": "audio/wav"},
            UnknownContent({"type": "audio", "mimeType": "audio/wav"}),
        ),
        (
            {"type": "resource_link", "uri": "file:///a", "name": "a", "description": "d"},
            ResourceLink("file:///a", "a", "d"),
        ),
        ({"type": "resource", "resource": {"uri": "x:a", "text": "t"}}, TextResource("x:a", "t")),
        (
            {"type": "resource", "resource": {"uri": "x:a", "blob": "aGk="}},
            BlobResource("x:a", b"hi"),
        ),
        ({"type": "hologram", "depth": 3}, UnknownContent({"type": "hologram", "depth": 3})),
        (7, UnknownContent({"value": 7})),
    ],
)
def test_each_block_becomes_its_part(block: Any, part: Content) -> None:
    output = output_of(_called({"content": [block]}))
    assert output.content == (part,)
    assert describe(part) in output.text


@pytest.mark.req("LC-04")
def test_data_are_in_the_words_only_where_there_are_no_others() -> None:
    data = {"structuredContent": {"a": "é"}}
    assert output_of(_called({"content": [], **data})).text == '{"a": "é"}'
    with_words = output_of(_called({"content": [{"type": "text", "text": "words"}], **data}))
    assert (with_words.text, with_words.structured) == ("words", {"a": "é"})
    blank = output_of(_called({"content": [{"type": "text", "text": " "}], **data}))
    assert '{"a": "é"}' in blank.text


@pytest.mark.req("LC-04")
@pytest.mark.parametrize("structured", [[1], 7, "text", False, 0, []])
def test_data_that_are_no_object_are_kept(structured: Any) -> None:
    assert output_of(_called({"structuredContent": structured})).structured == structured


_HIDING = "a\x1b[8m\u200b\U000e0041b\u202e"


@pytest.mark.req("MCP-15")
@pytest.mark.parametrize(
    "result",
    [
        {"content": [{"type": "text", "text": _HIDING}]},
        {"content": [{"type": "we" + _HIDING, _HIDING: _HIDING}]},
        {"content": [], "structuredContent": {_HIDING: _HIDING}},
        {"content": [], "structuredContent": [_HIDING]},
        {
            "content": [
                {"type": "resource_link", "uri": f"x:{_HIDING}", "name": _HIDING},
                {"type": "resource", "resource": {"uri": f"x:{_HIDING}", "text": _HIDING}},
                {
                    "type": "resource",
                    "resource": {"uri": _HIDING, "blob": "aGk=", "mimeType": _HIDING},
                },
                {"type": "image", "data": "aGk=", "mimeType": _HIDING},
                {"type": "audio", "data": "%", "mimeType": _HIDING},
            ]
        },
    ],
)
def test_nothing_in_a_result_that_cannot_be_seen_reaches_a_model(result: Any) -> None:
    output = output_of(_called(result))
    content = message_content(output)
    shown = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    for words in (output.text, shown):
        assert visible(words) == words
        assert "a" in words
    assert output.structured == result.get("structuredContent")


@pytest.mark.req("MCP-15")
def test_the_words_of_a_result_hold_no_escapes() -> None:
    output = output_of(_called({"content": [{"type": "text", "text": "\x1b[8ma\x1b[0m\u200b"}]}))
    assert output.text == "a"


@pytest.mark.req("LC-04")
@pytest.mark.parametrize(
    "beside",
    [
        {"annotations": "high"},
        {"annotations": {"priority": 5}},
        {"_meta": "text"},
        {"annotations": {"audience": "user"}, "_meta": [1]},
    ],
)
@pytest.mark.parametrize(
    ("block", "part"),
    [
        ({"type": "text", "text": "did it"}, Text("did it")),
        ({"type": "image", "data": "aGk=", "mimeType": "image/png"}, Image("image/png", b"hi")),
        (
            {"type": "resource_link", "uri": "a b", "name": "a", "size": 1.5},
            ResourceLink("a b", "a"),
        ),
        (
            {"type": "resource", "resource": {"uri": "x:a", "text": "t", "_meta": 7}},
            TextResource("x:a", "t"),
        ),
    ],
)
def test_odd_notes_beside_a_block_cost_nothing(block: Any, part: Content, beside: Any) -> None:
    changed = tolerant(_asked("tools/call"), {"content": [block | beside]}, lambda _: None)
    for version in ("2025-11-25", "2026-07-28"):
        parse_server_result("tools/call", version, {"resultType": "complete", **changed})
    assert output_of(_called({"content": [block | beside]})).content == (part,)


@pytest.mark.req("LC-04")
@pytest.mark.parametrize(
    ("said", "failed"),
    [
        *(("false", False), ("true", True), ("False", False), ("", False), (0, False)),
        *((1, True), ("yes", True), (None, False), ("no", False)),
    ],
)
def test_failed_is_understood_however_it_is_written(said: Any, failed: bool) -> None:
    assert output_of(_called({"content": ["a"], "isError": said})).is_error is failed


@pytest.mark.req("LC-04")
@pytest.mark.parametrize(
    "data",
    [
        "aGk\n=",
        "a G\r\nk=",
        "data:image/png;base64,aGk=",
        "data:;base64,aGk",
        "DATA:a/b;BASE64,aGk=",
    ],
)
def test_base64_is_read_however_it_is_written(data: str) -> None:
    block = {"type": "image", "data": data, "mimeType": "image/png"}
    assert output_of(_called({"content": [block]})).content == (Image("image/png", b"hi"),)


@pytest.mark.req("LC-04")
@given(_JSON, _JSON, _JSON)
def test_no_result_is_refused_by_the_sdk(content: Any, meta: Any, kind: Any) -> None:
    answer = {"content": content, "_meta": meta, "resultType": kind}
    changed = tolerant(_asked("tools/call"), answer, lambda _: None)
    parse_server_result("tools/call", "2025-11-25", changed)
