"""`LocalChatModel` in LangChain's hands."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from hackamore.core.generator import Turn
from hackamore.langchain.local_model import LocalChatModel, to_turns
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
