"""``use_mcp_tool`` is only a way of writing: what it names is judged, shown and run."""

import json
from collections.abc import Mapping
from typing import Final, cast

from hackamore.core.json import JSON, JSONObject
from hackamore.core.messages import ToolCall
from hackamore.core.tools import Tool

WRAPPER: Final = "use_mcp_tool"


def unwrapped(call: ToolCall, tools: Mapping[str, Tool]) -> ToolCall:
    """Return the call of the tool inside; the same call when it is none, or names no tool."""
    if call.name != WRAPPER:
        return call
    server, name = call.arguments.get("server_name"), call.arguments.get("tool_name")
    for tool in tools.values():
        spec = tool.spec
        if spec.server == server and name in (spec.server_tool, spec.name):
            return ToolCall(call.id, spec.name, _arguments(call.arguments.get("arguments")))
    return call


def _arguments(value: JSON) -> JSONObject:
    """Return the arguments inside, which some models write as text."""
    if isinstance(value, str):
        try:
            value = cast(JSON, json.loads(value or "{}"))
        except (ValueError, RecursionError):
            return {"arguments": value}
    return value if isinstance(value, Mapping) else {}
