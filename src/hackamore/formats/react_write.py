"""Writes calls, results and answers as the ReAct format has them."""

from collections.abc import Sequence
from typing import Final

from hackamore.core.json import JSONObject
from hackamore.core.messages import Message, Part, Text, Thinking, ToolCall, ToolResult
from hackamore.formats.strict_json import write_json
from hackamore.formats.text_history import joined

FORM: Final = "react"


def write_call(name: str, arguments: JSONObject) -> str:
    """Return the line of one call."""
    return f"Action: {name}({write_json(arguments)})"


def encode_messages(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return `messages` as lines with labels: the model's own, and observations of the user."""
    return joined([_encoded(message) for message in messages])


def _encoded(message: Message) -> Message:
    if message.role == "assistant":
        return Message("assistant", _lines(message))
    return Message(message.role, tuple(map(_result, message.parts)))


def _result(part: Part) -> Part:
    return Text(f"Observation: {part.text}") if isinstance(part, ToolResult) else part


def _lines(message: Message) -> tuple[Part, ...]:
    """Write one answer as one text; pictures, which have no words, stay as they are."""
    is_final = not message.calls
    lines = [line for part in message.parts if (line := _line(part, is_final=is_final))]
    others = [part for part in message.parts if _line(part, is_final=is_final) is None]
    return (*others, Text("\n".join(lines))) if lines else tuple(others)


def _line(part: Part, *, is_final: bool) -> str | None:
    match part:
        case Thinking(text):
            return f"Thought: {text.strip()}"
        case Text(text):
            return f"FinalAnswer: {text}" if is_final else text
        case ToolCall(name=name, arguments=arguments):
            return write_call(name, arguments)
        case _:
            return None
