"""Writes the history for models that call tools in text: calls and results become words."""

from collections.abc import Callable, Sequence

from hackamore.core.json import JSONObject
from hackamore.core.messages import Message, Part, Role, Text, ToolCall, ToolResult

WriteCall = Callable[[str, JSONObject], str]
WriteResult = Callable[[ToolResult, ToolCall | None], str]


def encode_messages(
    messages: Sequence[Message], write_call: WriteCall, write_result: WriteResult
) -> tuple[Message, ...]:
    """Return `messages` with calls and results as text, and user messages in a row as one.

    Args:
        messages: The history.
        write_call: Writes a call of a tool by its name and arguments.
        write_result: Writes a result; the call is what was asked, where it is known.
    """
    calls = {call.id: call for message in messages for call in message.calls}

    def encoded(part: Part) -> Part:
        if isinstance(part, ToolCall):
            return Text(write_call(part.name, part.arguments))
        if isinstance(part, ToolResult):
            return Text(write_result(part, calls.get(part.call_id)))
        return part

    return joined([Message(m.role, tuple(map(encoded, m.parts))) for m in messages])


def joined(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return `messages` with results as words of the user, and user messages in a row as one."""
    found: list[Message] = []
    for message in messages:
        role: Role = "user" if message.role == "tool" else message.role
        if role == "user" and found and found[-1].role == "user":
            found[-1] = Message("user", _merged([*found[-1].parts, *message.parts]))
        else:
            found.append(Message(role, _merged(message.parts)))
    return tuple(found)


def _merged(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Join texts that stand side by side, with an empty line between them."""
    merged: list[Part] = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, Text) and isinstance(last, Text):
            merged[-1] = Text(f"{last.text.rstrip()}\n\n{part.text}".lstrip("\n"))
        else:
            merged.append(part)
    return tuple(merged)
