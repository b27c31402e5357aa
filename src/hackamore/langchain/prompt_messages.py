"""The messages of an MCP server's prompt, as LangChain's."""

from collections.abc import Iterable, Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from hackamore.core.content import Content
from hackamore.core.messages import Image, Message, Role, Text
from hackamore.langchain.content import Block, block


def prompt_messages(messages: Iterable[Message]) -> list[BaseMessage]:
    """Return `messages` of the person and the model as LangChain writes them."""
    return [
        prompt_message(message.role, [p for p in message.parts if isinstance(p, Text | Image)])
        for message in messages
    ]


def prompt_message(role: Role, content: Sequence[Content]) -> BaseMessage:
    """Return one message of a prompt; whatever is not the model's is the person's."""
    said: list[str | Block] = [block(part) for part in content]
    kind = AIMessage if role == "assistant" else HumanMessage
    match content:
        case [Text(text=text)]:
            return kind(text)
        case _:
            return kind(said)
