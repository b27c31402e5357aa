"""Writes docs/explanation/tool-formats.md: one task in all formats, from the formats themselves."""

import json
from pathlib import Path
from typing import Final

from hackamore.core.effects import Effect
from hackamore.core.format import CallParsed, Format
from hackamore.core.messages import Message, Text, Thinking, ToolCall, ToolResult, user
from hackamore.core.tools import ToolSpec
from hackamore.formats.registry import get_format

PAGE: Final = Path(__file__).parents[1] / "docs" / "explanation" / "tool-formats.md"
TOOL: Final = ToolSpec(
    name="read_file",
    description="Read a text file.",
    parameters={
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The file."},
            "start_line": {"type": "integer", "description": "The first line to read."},
        },
        "required": ["path"],
    },
    effect=Effect.READ,
    example={"path": "src/main.py"},
    path_parameter="path",
)
CALL: Final = ToolCall("call_1", TOOL.name, {"path": "prices.py", "start_line": 3})
HISTORY: Final = (
    user("What does total() do?"),
    Message("assistant", (Thinking("I have to look."), CALL)),
    Message("tool", (ToolResult(CALL.id, CALL.name, "def total(items): …"),)),
    Message("assistant", (Text("It adds up prices."),)),
)
INTRODUCTION: Final = """\
# One task in four formats
A model is asked what a function does; it reads a file and answers. This page is made from the
formats themselves (`scripts/formats_page.py`), and a test fails when it is out of date. Whatever
the format, the same comes out: `read_file(path="prices.py", start_line=3)`.
"""
NOTES: Final = {
    "native": "The provider's own interface. The tools travel beside the messages; `auto` is this, "
    "and understands the others as well.",
    "xml": "Tags around literal values: nothing is escaped, so that whole files can be written.",
    "hermes": "JSON in a tag, as many small models were trained to write it.",
    "react": "Thought, Action, Observation: the oldest form, and the easiest to read. Whatever "
    "follows an Action is cut off, so that no Observation that the model makes up is believed.",
}


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the page's text."""
    return "\n".join([INTRODUCTION, *(_section(name) for name in NOTES)])


def _section(name: str) -> str:
    tool_format = get_format(name)
    asked, call, result, answer = (_written(one) for one in tool_format.encode(HISTORY))
    _check(tool_format, call)
    return "\n".join(
        [
            f"## {name}",
            NOTES[name],
            "",
            "The model is told:",
            _block(_told(tool_format)),
            f"The person asks: *{asked}* The model writes:",
            _block(call),
            "It gets back:",
            _block(result),
            "And answers:",
            _block(answer),
        ]
    )


def _told(tool_format: Format) -> str:
    if not tool_format.native:
        return tool_format.instructions([TOOL])
    function = {"name": TOOL.name, "description": TOOL.description, "parameters": TOOL.parameters}
    return json.dumps({"tools": [{"type": "function", "function": function}]}, indent=2)


def _written(message: Message) -> str:
    """Return a message as it travels; native calls and results are shown as JSON."""
    if message.calls:
        calls = [{"id": c.id, "name": c.name, "arguments": c.arguments} for c in message.calls]
        return json.dumps({"tool_calls": calls})
    results = [{"tool_call_id": one.call_id, "content": one.text} for one in message.results()]
    return json.dumps({"role": "tool", **results[0]}) if results else message.text


def _check(tool_format: Format, text: str) -> None:
    """Make sure that the format reads what it writes; the page says nothing that is not so."""
    if tool_format.native:
        return
    parser = tool_format.parser([TOOL])
    events = [*parser.feed(text), *parser.close("stop")]
    calls = [event.call.arguments for event in events if isinstance(event, CallParsed)]
    if calls != [CALL.arguments]:
        raise AssertionError(f"{tool_format.name} reads {calls} from {text!r}")


def _block(text: str) -> str:
    return f"````text\n{text.strip()}\n````\n"


if __name__ == "__main__":
    main()
