"""Results as servers send them, made into what the SDK accepts, so that one flaw costs only itself.

The SDK checks a whole answer at once: one tool with a bad schema, or one block of an unknown kind,
would cost all the others. What is set aside here travels in ``_meta`` under our own keys.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

from mcp_types import PROTOCOL_VERSION_META_KEY, JSONRPCRequest
from mcp_types.methods import parse_server_result
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from hackamore.mcp.blocks import plain_block
from hackamore.mcp.input_schema import NoObjectError, for_sdk, of_object

RAW_STRUCTURE: Final = "hackamore/structured"
"""In a result's ``_meta``: structured content that is no object."""
OUTPUT_SCHEMA: Final = "hackamore/output_schema"
"""In a tool's ``_meta``: its output schema, which we check ourselves, gently."""

INPUT_SCHEMA: Final = "hackamore/input_schema"
"""In a tool's ``_meta``: the schema of its arguments, which we check them by ourselves."""

MENDED: Final = "hackamore/mended"
"""In a tool's ``_meta``: the names of its parts that had to be left out."""

MOST_TOOLS: Final = 1_000
"""Tools that one server may offer; more would help no model."""

Dropped: TypeAlias = Callable[[str], None]
"""Told, in words, of what had to be left out."""
Result: TypeAlias = dict[str, Any]

_OPTIONAL: Final = ("annotations", "icons", "title", "execution", "description")
_STRICTEST: Final = HANDSHAKE_PROTOCOL_VERSIONS[-1]
_NO: Final = frozenset({"", "0", "false", "no", "none", "null"})


def tolerant(request: JSONRPCRequest, result: Result, dropped: Dropped) -> Result:
    """Return `result` of `request` in a form that the SDK accepts."""
    if _is_stateless(request) and "resultType" not in result:
        result = {**result, "resultType": "complete"}
    if request.method == "tools/list":
        return _tools(result, dropped)
    if request.method == "tools/call":
        return _called(result)
    return result


def _is_stateless(request: JSONRPCRequest) -> bool:
    """Whether a request is of a revision in which each one names its version (2026-07-28)."""
    return PROTOCOL_VERSION_META_KEY in _object((request.params or {}).get("_meta"))


def _tools(result: Result, dropped: Dropped) -> Result:
    listed = result.get("tools", [])
    if not isinstance(listed, list):
        return result  # no list at all: the SDK says what is wrong
    tools = cast("list[object]", listed)
    if len(tools) > MOST_TOOLS:
        dropped(f"it offers {len(tools)} tools; the first {MOST_TOOLS} count (see tools.include)")
    kept = (_tool(one, dropped) for one in tools[:MOST_TOOLS])
    changed: Result = {**result, "tools": [one for one in kept if one is not None]}
    if "_meta" in result:
        changed["_meta"] = _object(result["_meta"])
    if not isinstance(changed.get("nextCursor"), str):
        changed.pop("nextCursor", None)
    return changed


def _tool(raw: object, dropped: Dropped) -> Result | None:
    if not isinstance(raw, dict):
        dropped(f"a tool was left out: it is no object but {type(raw).__name__}")
        return None
    tool = dict(cast(Result, raw))
    try:
        schema, mended = of_object(tool.get("inputSchema"))
    except NoObjectError as error:
        dropped(f"the tool {tool.get('name')!r} was left out: {error}")
        return None
    aside = {INPUT_SCHEMA: schema, OUTPUT_SCHEMA: tool.pop("outputSchema", None)}
    tool |= {"inputSchema": for_sdk(schema), "_meta": {**_object(tool.get("_meta")), **aside}}
    while (wrong := _wrong(tool)) is not None:
        part, words = wrong
        if part not in _OPTIONAL:
            dropped(f"the tool {tool.get('name')!r} was left out: {words}")
            return None
        del tool[part]
        mended.append(part)
    tool["_meta"][MENDED] = mended
    return tool


def _wrong(tool: Result) -> tuple[str, str] | None:
    """Return which part of a tool the SDK does not accept, and why; None when it accepts all."""
    if tool.get("name") == "":
        return "name", "it has no name"
    try:
        parse_server_result("tools/list", _STRICTEST, {"tools": [tool]})
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[0]
        where = [str(part) for part in found["loc"][2:]]
        return where[0] if where else "", f"{'.'.join(where)}: {found['msg']}"
    return None


def _called(result: Result) -> Result:
    if _is_plain(result):
        return result
    changed = dict(result)
    if not isinstance(result.get("resultType", ""), str):
        changed["resultType"] = "complete"
    if "content" in result or changed.get("resultType", "complete") == "complete":
        changed["content"] = [plain_block(one) for one in _blocks(result.get("content"))]
    if "_meta" in result:
        changed["_meta"] = _object(result["_meta"])
    structured = result.get("structuredContent")
    if structured is not None and not isinstance(structured, dict):
        del changed["structuredContent"]
        changed["_meta"] = {**_object(result.get("_meta")), RAW_STRUCTURE: structured}
    if "isError" in result:
        changed["isError"] = _is_yes(result["isError"])
    return changed


def _is_yes(said: object) -> bool:
    """Return what is meant by yes or no, however it is written."""
    return said.strip().lower() not in _NO if isinstance(said, str) else bool(said)


def _is_plain(result: Result) -> bool:
    """Whether it is what nearly all results are: one text, or several."""
    content = result.get("content")
    return (
        isinstance(content, list)
        and isinstance(result.get("structuredContent", {}), dict)
        and isinstance(result.get("_meta", {}), dict)
        and isinstance(result.get("isError", False), bool)
        and isinstance(result.get("resultType", ""), str)
        and all(map(_is_text, cast(list[object], content)))
    )


def _is_text(block: object) -> bool:
    found = _object(block)
    return (
        found.keys() == {"type", "text"}
        and found["type"] == "text"
        and isinstance(found["text"], str)
    )


def _blocks(content: object) -> list[object]:
    if isinstance(content, list):
        return cast(list[object], content)
    return [] if content is None else [content]


def _object(value: object) -> Result:
    return cast(Result, value) if isinstance(value, dict) else {}
