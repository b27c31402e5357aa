"""Core messages as LangChain's, for every provider."""

import base64
from collections.abc import Iterable, Iterator

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from hackamore.core.messages import Image, Message, Text, ToolCall


def to_langchain(messages: Iterable[Message]) -> list[BaseMessage]:
    """Return `messages` as LangChain writes them; thoughts are not sent back."""
    return [converted for message in messages for converted in _converted(message)]


def _converted(message: Message) -> Iterator[BaseMessage]:
    match message.role:
        case "system":
            yield SystemMessage(message.text)
        case "user":
            yield HumanMessage(_user_content(message))
        case "assistant":
            yield AIMessage(message.text, tool_calls=[_call(call) for call in message.calls])
        case "tool":
            for result in message.results():
                yield ToolMessage(
                    result.text,
                    tool_call_id=result.call_id,
                    name=result.name,
                    status="error" if result.is_error else "success",
                )


def _call(call: ToolCall) -> dict[str, object]:
    return {"type": "tool_call", "id": call.id, "name": call.name, "args": dict(call.arguments)}


def _user_content(message: Message) -> str | list[str | dict[str, object]]:
    """Return plain text where that suffices: some servers take nothing else."""
    if not any(isinstance(part, Image) for part in message.parts):
        return message.text
    return [block for part in message.parts if (block := _block(part)) is not None]


def _block(part: object) -> dict[str, object] | None:
    match part:
        case Text(text=text):
            return {"type": "text", "text": text}
        case Image(media_type=media_type, data=data):
            encoded = base64.b64encode(data).decode("ascii")
            return {"type": "image", "base64": encoded, "mime_type": media_type}
        case _:
            return None
