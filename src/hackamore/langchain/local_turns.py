"""LangChain's messages as the turns of a local model, tools and their calls included.

The form is the one that Qwen and Hermes models were taught: tools as JSON between ``<tools>`` tags
in the system turn, calls between ``<tool_call>`` tags, results between ``<tool_response>`` tags.
"""

import json
from collections.abc import Collection, Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from hackamore.core.generator import Turn, TurnRole

_TOOLS: Final = """\
# Tools

You may call a function to help the person with their query. The function signatures are within \
<tools></tools> XML tags:
<tools>
{tools}
</tools>

To call a function, return a json object with its name and its arguments within \
<tool_call></tool_call> XML tags:
<tool_call>
{{"name": <function-name>, "arguments": <args-json-object>}}
</tool_call>"""
"""Small models are touchy here: with a word on results in it, they write results of their own."""


def to_turns(messages: Sequence[BaseMessage], tools: Sequence[dict[str, Any]] = ()) -> list[Turn]:
    """Return the messages as turns, turns of one role joined; the first tells of tools."""
    asked = {
        call["id"]
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    }
    turns: list[Turn] = []
    for message in messages:
        role, text = _role(message), _text(message, asked)
        if turns and turns[-1].role == role:
            turns[-1] = Turn(role, f"{turns[-1].text}\n\n{text}")
        else:
            turns.append(Turn(role, text))
    if tools and messages[-1].type == "tool":
        turns[-1] = Turn("user", f"{turns[-1].text}\n\n{_reminder(messages)}")
    return _with_tools(turns, tools) if tools else turns


def call_text(name: str, arguments: dict[str, Any]) -> str:
    """Return a call as the model writes it."""
    call = {"name": name, "arguments": arguments}
    return f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>"


def _reminder(messages: Sequence[BaseMessage]) -> str:
    """Return what keeps a small model from calling on and on after it has a result."""
    wishes = (str(message.text) for message in reversed(messages) if message.type == "human")
    return f"Now answer in plain words: {next(wishes, '')}".rstrip(": ")


def _with_tools(turns: list[Turn], tools: Sequence[dict[str, Any]]) -> list[Turn]:
    words = _TOOLS.format(tools="\n".join(json.dumps(one, ensure_ascii=False) for one in tools))
    if turns and turns[0].role == "system":
        return [Turn("system", f"{turns[0].text}\n\n{words}"), *turns[1:]]
    return [Turn("system", words), *turns]


def _text(message: BaseMessage, asked: Collection[str | None]) -> str:
    """Return what the turn says; a result that nobody asked for by a call is plain words."""
    text = str(message.text)
    if isinstance(message, AIMessage):
        calls = (call_text(call["name"], call["args"]) for call in message.tool_calls)
        return "\n".join(part for part in (text, *calls) if part)
    if isinstance(message, ToolMessage) and message.tool_call_id in asked:
        return f"<tool_response>\n{text}\n</tool_response>"
    return text


def _role(message: BaseMessage) -> TurnRole:
    match message.type:
        case "system":
            return "system"
        case "ai" | "AIMessageChunk":
            return "assistant"
        case _:
            return "user"
