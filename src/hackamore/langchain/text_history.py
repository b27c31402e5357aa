"""History for a model that asks in text: calls and results as the format would write them."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from hackamore.core.format import Format
from hackamore.core.messages import Message, Part, Text, ToolCall, ToolResult


def as_text(messages: Sequence[BaseMessage], tool_format: Format) -> list[BaseMessage]:
    """Return `messages` without tool calls and tool results; all else stays as it is.

    A native format leaves everything to the provider.
    """
    if tool_format.native:
        return [*messages]
    written: list[BaseMessage] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            calls = _calls_before(messages, message)
            _append(written, HumanMessage(_written(tool_format, [*calls, _result(message)])))
        elif isinstance(message, AIMessage) and message.tool_calls:
            written.append(AIMessage(_written(tool_format, [_asking(message)])))
        else:
            _append(written, message)
    return written


def _written(tool_format: Format, messages: list[Message]) -> str:
    """Return the text of the last of `messages`; those before it tell what it answers."""
    return tool_format.encode(messages)[-1].text


def _append(written: list[BaseMessage], message: BaseMessage) -> None:
    """Append, joining plain messages of the person: some servers want the roles to alternate."""
    last = written[-1] if written else None
    if _plain(last) and _plain(message):
        written[-1] = HumanMessage(f"{last.text}\n\n{message.text}" if last else message.text)
    else:
        written.append(message)


def _plain(message: BaseMessage | None) -> bool:
    return isinstance(message, HumanMessage) and isinstance(message.content, str)


def _asking(message: AIMessage) -> Message:
    parts: list[Part] = [Text(text)] if (text := str(message.text)) else []
    calls = [ToolCall(call["id"] or "", call["name"], call["args"]) for call in message.tool_calls]
    return Message("assistant", (*parts, *calls))


def _calls_before(messages: Sequence[BaseMessage], result: ToolMessage) -> list[Message]:
    """Return the message that asked for a result, when it is there."""
    return [
        _asking(message)
        for message in messages
        if isinstance(message, AIMessage)
        and any(call["id"] == result.tool_call_id for call in message.tool_calls)
    ][-1:]


def _result(message: ToolMessage) -> Message:
    name = message.name or "tool"
    is_error = message.status == "error"
    return Message("tool", (ToolResult(message.tool_call_id, name, str(message.text), is_error),))
