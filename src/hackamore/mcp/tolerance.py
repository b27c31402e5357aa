"""Results as servers send them, made into what the SDK accepts, so that one flaw costs only itself.

The SDK checks a whole answer at once: one tool with a bad schema, or one block of an unknown kind,
would cost all the others. What is set aside here travels in ``_meta`` under our own keys.
"""

import json
from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

from mcp_types import PROTOCOL_VERSION_META_KEY, ContentBlock, JSONRPCRequest, Tool
from pydantic import TypeAdapter, ValidationError

RAW_BLOCK: Final = "hackamore/raw"
"""In a text block's ``_meta``: the block of an unknown kind that it stands for."""
RAW_STRUCTURE: Final = "hackamore/structured"
"""In a result's ``_meta``: structured content that is no object."""
OUTPUT_SCHEMA: Final = "hackamore/output_schema"
"""In a tool's ``_meta``: its output schema, which we check ourselves, gently."""

MENDED: Final = "hackamore/mended"
"""In a tool's ``_meta``: the names of its parts that had to be left out."""

MOST_TOOLS: Final = 1_000
"""Tools that one server may offer; more would help no model."""

Dropped: TypeAlias = Callable[[str], None]
"""Told, in words, of what had to be left out."""
Result: TypeAlias = dict[str, Any]

_OPTIONAL: Final = ("annotations", "icons", "title", "execution", "description")
_KINDS: Final = ("text", "image", "audio", "resource", "resource_link")

_BLOCKS: Final[TypeAdapter[ContentBlock]] = TypeAdapter(ContentBlock)


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
    if not isinstance(changed.get("nextCursor"), str):
        changed.pop("nextCursor", None)
    return changed


def _tool(raw: object, dropped: Dropped) -> Result | None:
    if not isinstance(raw, dict):
        dropped(f"a tool was left out: it is no object but {type(raw).__name__}")
        return None
    tool = dict(cast(Result, raw))
    tool["_meta"] = {**_object(tool.get("_meta")), OUTPUT_SCHEMA: tool.pop("outputSchema", None)}
    mended: list[str] = []
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
        Tool.model_validate(tool, by_name=False)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[0]
        where = [str(part) for part in found["loc"]]
        return where[0] if where else "", f"{'.'.join(where)}: {found['msg']}"
    return None


def _called(result: Result) -> Result:
    if _is_plain(result):
        return result
    changed = dict(result)
    if "content" in result or result.get("resultType", "complete") == "complete":
        changed["content"] = [_block(one) for one in _blocks(result.get("content"))]
    structured = result.get("structuredContent")
    if structured is not None and not isinstance(structured, dict):
        del changed["structuredContent"]
        changed["_meta"] = {**_object(result.get("_meta")), RAW_STRUCTURE: structured}
    if "isError" in result and not isinstance(result["isError"], bool):
        changed["isError"] = bool(result["isError"])
    return changed


def _is_plain(result: Result) -> bool:
    """Whether it is what nearly all results are: one text, or several."""
    if not isinstance(result.get("structuredContent", {}), dict):
        return False
    content = result.get("content")
    return (
        isinstance(content, list)
        and result.get("isError", False) in (True, False)
        and all(
            isinstance(block, dict)
            and cast(Result, block).get("type") == "text"
            and isinstance(cast(Result, block).get("text"), str)
            for block in cast(list[object], content)
        )
    )


def _blocks(content: object) -> list[object]:
    if isinstance(content, list):
        return cast(list[object], content)
    return [] if content is None else [content]


def _block(raw: object) -> Result:
    if isinstance(raw, str):
        return {"type": "text", "text": raw}
    if _object(raw).get("type") in _KINDS:
        try:
            _BLOCKS.validate_python(raw, by_name=False)
        except ValidationError:
            pass
        else:
            return cast(Result, raw)
    text = json.dumps(raw, ensure_ascii=False)
    return {"type": "text", "text": text, "_meta": {RAW_BLOCK: raw}}


def _object(value: object) -> Result:
    return cast(Result, value) if isinstance(value, dict) else {}
