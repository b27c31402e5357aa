"""Writes calls and results as the Hermes format has them."""

from typing import Final

from hackamore.core.json import JSONObject
from hackamore.core.messages import ToolCall, ToolResult
from hackamore.formats.strict_json import write_json

CALL_OPENING: Final = "<tool_call>"
CALL_CLOSING: Final = "</tool_call>"


def write_call(name: str, arguments: JSONObject) -> str:
    """Return the text of one call."""
    body = write_json({"name": name, "arguments": arguments})
    return f"{CALL_OPENING}\n{body}\n{CALL_CLOSING}"


def write_result(result: ToolResult, call: ToolCall | None) -> str:
    """Return the text of one result."""
    del call
    return f"<tool_response>\n{result.text}\n</tool_response>"
