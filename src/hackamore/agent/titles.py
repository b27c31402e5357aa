"""Titles: a call in one line, for status bars and approvals."""

from hackamore.core.json import JSONObject
from hackamore.core.tools import Touch

_WIDTH = 72
_TELLING = ("command", "path", "url", "question", "uri", "tool_name", "result")


def title_of(tool: str, arguments: JSONObject, touched: Touch) -> str:
    """Return a line such as ``read_file src/main.py``: what the call touches, where it is known."""
    if touched.command is not None or touched.paths:
        return f"{tool} {_one_line(touched.command or ', '.join(touched.paths))}"
    for name in _TELLING:
        value = arguments.get(name)
        if isinstance(value, str) and value.strip():
            return f"{tool} {_one_line(value)}"
    return tool


def _one_line(value: str) -> str:
    line = " ".join(value.split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
