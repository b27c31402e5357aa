"""Writes calls and results as the XML format has them.

What `write_call` writes, the parser reads back as the same values: a value that holds tags of
its own call, or white space that would be trimmed, is put into a CDATA section. Two things do
not come back the same: a value that is no text, in a parameter that also allows text; and a
number written as another number of the same size (``1.0`` may come back as ``1``).
"""

from typing import Final

from hackamore.core.json import JSON, JSONObject
from hackamore.core.messages import ToolCall, ToolResult
from hackamore.formats.strict_json import write_json
from hackamore.formats.tag_grammar import ALWAYS_VERBATIM, CDATA_OPEN
from hackamore.formats.tag_value import cdata, with_outer_breaks

_SUBJECTS: Final = (
    "path", "file_path", "command", "url", "uri", "tool_name", "query", "regex", "question",
)  # fmt: skip
_LONGEST_SUBJECT: Final = 80


def write_call(name: str, arguments: JSONObject) -> str:
    """Return the text of one call."""
    values = [_write_value(name, key, value) for key, value in arguments.items()]
    return "\n".join([f"<{name}>", *values, f"</{name}>"])


def write_result(result: ToolResult, call: ToolCall | None) -> str:
    """Return the text of one result; `call` is what was asked, where it is known."""
    subject = "" if call is None else _subject(call.arguments)
    about = f" for '{subject}'" if subject else ""
    return f"[{result.name}{about}] Result:\n{result.text}"


def _write_value(tool: str, name: str, value: JSON) -> str:
    text = value if isinstance(value, str) else write_json(value)
    return f"<{name}>{_guarded(text, tool, name)}</{name}>"


def _guarded(text: str, tool: str, name: str) -> str:
    trimmed = text == text.strip()
    risky = (f"<{name}>", f"</{name}>", f"<{tool}>", f"</{tool}>", CDATA_OPEN)
    if any(tag in text for tag in risky) or not (trimmed or name in ALWAYS_VERBATIM):
        return cdata(text)
    is_line = trimmed and "\n" not in text and name not in ALWAYS_VERBATIM
    return text if is_line else with_outer_breaks(text)


def _subject(arguments: JSONObject) -> str:
    for name in _SUBJECTS:
        value = arguments.get(name)
        if isinstance(value, str) and value and "\n" not in value:
            return value if len(value) <= _LONGEST_SUBJECT else f"{value[:_LONGEST_SUBJECT]}…"
    return ""
