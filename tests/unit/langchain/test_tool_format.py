"""Tool calling for a chat model that has none, in LangChain's own loops."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import BaseTool, tool
from langgraph.graph import (  # pyright: ignore[reportMissingTypeStubs]
    START,
    MessagesState,
    StateGraph,
)
from langgraph.prebuilt import ToolNode, tools_condition
from pydantic import BaseModel, Field

import hackamore

pytestmark = pytest.mark.anyio


class _Plain(BaseChatModel):
    """A model that knows nothing of tools and says what is written down."""

    answers: list[str]
    asked: list[list[BaseMessage]] = Field(default_factory=list[list[BaseMessage]])

    @property
    def _llm_type(self) -> str:
        return "plain"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        text = "".join(str(c.message.content) for c in self._stream(messages, stop, run_manager))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        self.asked.append(messages)
        text = self.answers.pop(0)
        for start in range(0, len(text), 5):
            yield ChatGenerationChunk(message=AIMessageChunk(content=text[start : start + 5]))
        end = AIMessageChunk(content="", response_metadata={"finish_reason": "stop"})
        yield ChatGenerationChunk(message=end)


@tool
def get_weather(city: str, days: int = 1) -> str:
    """Tell the weather of a city."""
    return f"sunny in {city} for {days} days"


_CREATE_AGENT = cast(Any, create_agent)
_TOOLS: list[BaseTool] = [get_weather]
_CALLS = {
    "xml": "I look.\n<get_weather>\n<city>Paris</city>\n<days>3</days>\n</get_weather>",
    "react": "Thought: I look.\n"
    'Action: get_weather({"city": "Paris", "days": 3})\n'
    "Observation: rain",
    "hermes": "I look.\n"
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}</tool_call>',
}
_ENDS = {"xml": "Sunny.", "react": "FinalAnswer: Sunny.", "hermes": "Sunny."}
_EVERY = pytest.mark.parametrize("form", ["xml", "react", "hermes"])


def _wrapped(form: Any, *answers: str, corrections: int = 2) -> tuple[BaseChatModel, _Plain]:
    plain = _Plain(answers=list(answers))
    return hackamore.with_tool_format(plain, form, corrections=corrections), plain


def _text(message: BaseMessage) -> str:
    return str(message.text).strip()


@pytest.mark.req("LC-05", "FMT-01")
@_EVERY
async def test_a_call_in_text_comes_out_as_a_tool_call(form: str) -> None:
    for sync in (True, False):
        model, plain = _wrapped(form, _CALLS[form])
        bound = model.bind_tools(_TOOLS)
        answer = bound.invoke("weather?") if sync else await bound.ainvoke("weather?")
        (call,) = answer.tool_calls
        assert (call["name"], call["args"]) == ("get_weather", {"city": "Paris", "days": 3})
        system, asked = plain.asked[0]
        assert "get_weather" in str(system.text)
        assert _text(asked) == "weather?"


@pytest.mark.req("LC-05")
@_EVERY
def test_in_a_stream_a_call_appears_only_whole(form: str) -> None:
    model, _ = _wrapped(form, _CALLS[form])
    chunks = [
        chunk
        for chunk in model.bind_tools(_TOOLS).stream("weather?")
        if isinstance(chunk, AIMessageChunk)
    ]
    calls = [call for chunk in chunks for call in chunk.tool_call_chunks]
    assert [call["name"] for call in calls] == ["get_weather"]
    assert calls[0]["args"] == '{"city": "Paris", "days": 3}'
    assert calls[0]["id"]
    text = "".join(str(chunk.content) for chunk in chunks)
    assert text.strip() in ("I look.", "")
    assert "rain" not in text


@pytest.mark.req("LC-05", "FMT-04")
@_EVERY
def test_an_agent_calls_and_ends_and_its_history_comes_back_as_text(form: str) -> None:
    model, plain = _wrapped(form, _CALLS[form], _ENDS[form])
    agent = _CREATE_AGENT(model, _TOOLS, system_prompt="Be brief.")
    messages: list[BaseMessage] = agent.invoke({"messages": [HumanMessage("weather?")]})["messages"]
    assert [type(one) for one in messages] == [HumanMessage, AIMessage, ToolMessage, AIMessage]
    assert _text(messages[-1]) == "Sunny."
    second = plain.asked[1]
    assert [one.type for one in second] == ["system", "human", "ai", "human"]
    assert str(second[0].text).startswith("Be brief.")
    assert "get_weather" in str(second[2].text)
    assert "sunny in Paris for 3 days" in str(second[3].text)
    assert "rain" not in str(second)


@pytest.mark.req("LC-05")
@_EVERY
def test_langgraphs_tool_node_loop_works(form: str) -> None:
    model, _ = _wrapped(form, _CALLS[form], _ENDS[form])
    bound = model.bind_tools(_TOOLS)

    def think(state: MessagesState) -> dict[str, Any]:
        return {"messages": [bound.invoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("think", think)  # pyright: ignore[reportUnknownMemberType] - LangGraph's own
    graph.add_node("tools", ToolNode(_TOOLS))  # pyright: ignore[reportUnknownMemberType]
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", tools_condition)
    graph.add_edge("tools", "think")
    runnable: Any = graph.compile()  # pyright: ignore[reportUnknownMemberType]
    end: dict[str, Any] = runnable.invoke({"messages": [HumanMessage("weather?")]})
    assert _text(end["messages"][-1]) == "Sunny."


@pytest.mark.req("LC-05")
def test_it_works_in_a_chain() -> None:
    model, _ = _wrapped("xml", _CALLS["xml"])
    prompt = ChatPromptTemplate.from_messages([("human", "weather in {city}?")])

    def run(message: AIMessage) -> list[Any]:
        return [get_weather.invoke(call) for call in message.tool_calls]

    chain = prompt | model.bind_tools(_TOOLS) | RunnableLambda(run)
    (result,) = chain.invoke({"city": "Paris"})
    assert result.content == "sunny in Paris for 3 days"


class _City(BaseModel):
    """A city."""

    name: str
    people: int


@pytest.mark.req("LC-05")
def test_structured_output_works() -> None:
    call = "<_City>\n<name>Paris</name>\n<people>2100000</people>\n</_City>"
    model, plain = _wrapped("xml", call)
    city = model.with_structured_output(_City).invoke("the capital of France?")
    assert city == _City(name="Paris", people=2_100_000)
    assert "You must call" in str(plain.asked[0][0].text)


@pytest.mark.req("FMT-03", "LC-05")
def test_a_malformed_call_is_asked_for_again_with_the_reason() -> None:
    bad = "<get_weather>\n<days>3</days>\n</get_weather>"
    model, plain = _wrapped("xml", bad, _CALLS["xml"])
    answer = model.bind_tools(_TOOLS).invoke("weather?")
    assert answer.tool_calls[0]["args"]["city"] == "Paris"
    said, correction = plain.asked[1][-2:]
    assert "<days>3</days>" in str(said.text)
    assert "city" in str(correction.text)


@pytest.mark.req("FMT-03", "LC-05")
def test_calls_that_stay_malformed_are_invalid_and_never_run() -> None:
    bad = "<get_weather>\n<days>3</days>\n</get_weather>"
    model, plain = _wrapped("xml", bad, bad, corrections=1)
    answer = model.bind_tools(_TOOLS).invoke("weather?")
    assert not answer.tool_calls
    (invalid,) = answer.invalid_tool_calls
    assert "city" in str(invalid["args"])
    assert len(plain.asked) == 2


@pytest.mark.req("FMT-03", "LC-05")
def test_thinking_is_reasoning_and_a_call_in_it_does_not_run() -> None:
    inside = f"<think>Maybe {_CALLS['xml']}?</think>It is sunny."
    model, _ = _wrapped("xml", inside)
    answer = model.bind_tools(_TOOLS).invoke("weather?")
    assert not answer.tool_calls
    assert _text(answer) == "It is sunny."
    kinds = [block["type"] for block in answer.content_blocks]
    assert "reasoning" in kinds


@pytest.mark.req("LC-05")
def test_without_tools_it_is_the_model_itself() -> None:
    model, plain = _wrapped("xml", "Hello.")
    assert _text(model.invoke([SystemMessage("Be kind."), HumanMessage("hi")])) == "Hello."
    assert [str(one.text) for one in plain.asked[0]] == ["Be kind.", "hi"]


class _Watcher(BaseCallbackHandler):
    """Counts what LangChain tells of models."""

    def __init__(self) -> None:
        self.starts = 0
        self.tokens = ""

    def on_chat_model_start(self, *args: Any, **kwargs: Any) -> None:
        self.starts += 1

    def on_llm_new_token(self, token: Any, *args: Any, **kwargs: Any) -> None:
        self.tokens += token if isinstance(token, str) else ""


@pytest.mark.req("LC-05")
def test_watchers_see_one_model_and_no_tags() -> None:
    model, _ = _wrapped("xml", _CALLS["xml"])
    watcher = _Watcher()
    for _chunk in model.bind_tools(_TOOLS).stream("weather?", config={"callbacks": [watcher]}):
        pass
    assert watcher.starts == 1
    assert watcher.tokens.strip() == "I look."


@pytest.mark.req("LC-05")
def test_native_changes_nothing_and_auto_suits_itself_to_a_model_without_tools() -> None:
    plain = _Plain(answers=[_CALLS["xml"]])
    assert hackamore.with_tool_format(plain, "native") is plain
    answer = hackamore.with_tool_format(plain).bind_tools(_TOOLS).invoke("weather?")
    assert answer.tool_calls[0]["name"] == "get_weather"


@pytest.mark.req("LC-05")
def test_images_and_other_messages_of_the_person_stay_as_they_are() -> None:
    model, plain = _wrapped("xml", "A cat.")
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    message = HumanMessage([{"type": "text", "text": "What is it?"}, picture])
    model.bind_tools(_TOOLS).invoke([message])
    assert plain.asked[0][1].content == message.content
