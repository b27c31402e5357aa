"""`LocalChatModel` in LangChain's hands."""

from typing import Any, cast

import pytest
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType] - its types
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from hackamore.core.generator import CallGrammar, Turn
from hackamore.langchain.local_model import LocalChatModel
from hackamore.langchain.local_turns import to_turns
from hackamore.testing.scripted_generator import ScriptedGenerator

pytestmark = [pytest.mark.anyio, pytest.mark.req("UX-01")]


async def test_an_answer_comes_whole_with_its_usage() -> None:
    model = LocalChatModel(generator=ScriptedGenerator(["Hello there."]))
    answer = await model.ainvoke([HumanMessage("Hi")])
    assert answer.content == "Hello there."
    assert isinstance(answer, AIMessage)
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["total_tokens"] == 13
    assert answer.response_metadata["finish_reason"] == "stop"


async def test_an_answer_streams_piece_by_piece() -> None:
    model = LocalChatModel(generator=ScriptedGenerator(["One two three"]))
    pieces = [chunk.content async for chunk in model.astream("count")]
    assert pieces[:3] == ["One", " two", " three"]


async def test_leaving_the_stream_stops_the_model() -> None:
    generator = ScriptedGenerator(["One two three four"])
    stream = LocalChatModel(generator=generator)._astream([HumanMessage("count")])
    async for _chunk in stream:
        break
    await stream.aclose()  # type: ignore[attr-defined] - an async generator, typed as an iterator
    assert generator.closed == 1


def test_a_caller_without_a_loop_is_served() -> None:
    model = LocalChatModel(generator=ScriptedGenerator(["yes", "no"]))
    assert [model.invoke("?").content, model.invoke("?").content] == ["yes", "no"]


def test_results_of_tools_are_told_as_the_persons_words() -> None:
    messages = [
        SystemMessage("Be brief."),
        HumanMessage("Read it."),
        AIMessage("<read_file/>"),
        ToolMessage("1 line", tool_call_id="c1"),
        HumanMessage("And now?"),
    ]
    assert to_turns(messages) == [
        Turn("system", "Be brief."),
        Turn("user", "Read it."),
        Turn("assistant", "<read_file/>"),
        Turn("user", "1 line\n\nAnd now?"),
    ]


_CALL = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>'
_ADD: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Add.",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        },
    },
}
_SUB: dict[str, Any] = {"type": "function", "function": {"name": "sub", "parameters": {}}}


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


@pytest.mark.req("LC-05")
async def test_a_call_comes_whole_after_its_words() -> None:
    model = LocalChatModel(generator=ScriptedGenerator([f"I add.{_CALL}"])).bind_tools([_ADD])
    chunks = [chunk async for chunk in model.astream("1 + 2?")]
    assert "".join(str(chunk.content) for chunk in chunks) == "I add."
    streamed = [chunk for chunk in chunks if isinstance(chunk, AIMessageChunk)]
    calls = [part for chunk in streamed for part in chunk.tool_call_chunks]
    assert [(part["name"], part["args"], part["index"]) for part in calls] == [
        ("add", '{"a": 1, "b": 2}', 0)
    ]
    assert chunks[-1].response_metadata["finish_reason"] == "tool_calls"


@pytest.mark.req("LC-05")
@pytest.mark.parametrize(
    ("choice", "names", "required"),
    [
        (None, ["add", "sub"], False),
        ("auto", ["add", "sub"], False),
        ("any", ["add", "sub"], True),
        ("required", ["add", "sub"], True),
        ("sub", ["sub"], True),
        ({"type": "function", "function": {"name": "sub"}}, ["sub"], True),
        ("none", [], False),
    ],
)
async def test_what_may_be_called_follows_the_choice(
    choice: Any, names: list[str], required: bool
) -> None:
    generator = ScriptedGenerator(["words"])
    model = LocalChatModel(generator=generator).bind_tools([_ADD, _SUB], tool_choice=choice)
    await model.ainvoke("?")
    grammar = generator.grammars[0]
    assert isinstance(grammar, CallGrammar)
    assert [shape.name for shape in grammar.tools] == names
    assert grammar.required is required


@pytest.mark.req("LC-05")
async def test_without_tools_an_answer_is_not_guided() -> None:
    generator = ScriptedGenerator(["words"])
    await LocalChatModel(generator=generator).ainvoke("?")
    assert generator.grammars == [None]


@pytest.mark.req("LC-05", "FMT-03")
async def test_a_call_that_was_cut_off_is_none() -> None:
    model = LocalChatModel(generator=ScriptedGenerator([_CALL[:50]])).bind_tools([_ADD])
    answer = await model.ainvoke("1 + 2?")
    assert answer.tool_calls == []
    assert len(answer.invalid_tool_calls) == 1
    assert answer.content == ""


@pytest.mark.req("LC-05")
async def test_an_agent_comes_to_an_end_though_the_model_calls_again_and_again() -> None:
    generator = ScriptedGenerator([_CALL, _CALL, "It is 3."])
    agent = cast(Any, create_agent)(LocalChatModel(generator=generator), tools=[add])
    state = await agent.ainvoke({"messages": [HumanMessage("1 + 2?")]})
    messages = state["messages"]
    assert [message.type for message in messages] == ["human", "ai", "tool", "ai"]
    assert messages[-1].content == "It is 3."
    assert generator.grammars[-1] == CallGrammar()
    assert messages[-1].usage_metadata["output_tokens"] > 5


@pytest.mark.req("LC-05")
def test_a_caller_without_a_loop_gets_calls_too() -> None:
    model = LocalChatModel(generator=ScriptedGenerator([_CALL])).bind_tools([_ADD])
    answer = model.invoke("1 + 2?")
    assert [(call["name"], call["args"]) for call in answer.tool_calls] == [
        ("add", {"a": 1, "b": 2})
    ]


@pytest.mark.req("LC-05")
def test_history_is_told_as_the_model_was_taught() -> None:
    call = {"type": "tool_call", "id": "c1", "name": "add", "args": {"a": 1, "b": 2}}
    messages = [
        SystemMessage("Be brief."),
        HumanMessage("1 + 2?"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("3", tool_call_id="c1"),
    ]
    turns = to_turns(messages, [_ADD])
    assert turns[0].text.startswith("Be brief.\n\n# Tools")
    assert '"name": "add"' in turns[0].text
    assert turns[1:3] == [Turn("user", "1 + 2?"), Turn("assistant", _CALL)]
    assert turns[3].text.startswith("<tool_response>\n3\n</tool_response>\n\n")
    assert turns[3].text.endswith("1 + 2?")
