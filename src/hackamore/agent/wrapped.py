"""``use_mcp_tool`` is only a way of writing: what it names is judged, shown and run."""

import json
from collections.abc import Mapping
from typing import Final, cast

from hackamore.core.json import JSON, JSONObject
from hackamore.core.messages import ToolCall
from hackamore.core.tools import Tool, ToolSpec

WRAPPER: Final = "use_mcp_tool"


def unwrapped(call: ToolCall, tools: Mapping[str, Tool]) -> ToolCall:
    """Return the call of the tool inside; the same call when it is none, or names no tool."""
    if call.name != WRAPPER:
        return call
    spec = _named(call.arguments.get("server_name"), call.arguments.get("tool_name"), tools)
    if spec is None:
        return call
    return ToolCall(call.id, spec.name, _arguments(call.arguments.get("arguments")))


def _named(server: JSON, name: JSON, tools: Mapping[str, Tool]) -> ToolSpec | None:
    """Return the tool of a server by its name there or, if none has it, its name for models."""
    if not isinstance(server, str) or not isinstance(name, str):
        return None
    specs = [tool.spec for tool in tools.values() if tool.spec.server == server]
    by_own = (spec for spec in specs if spec.server_tool == name)
    return next(by_own, None) or next((spec for spec in specs if spec.name == name), None)


def _arguments(value: JSON) -> JSONObject:
    """Return the arguments inside, which some models write as text."""
    if isinstance(value, str):
        try:
            value = cast(JSON, json.loads(value or "{}"))
        except (ValueError, RecursionError):
            return {"arguments": value}
    return value if isinstance(value, Mapping) else {}
