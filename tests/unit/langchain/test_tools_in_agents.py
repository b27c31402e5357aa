"""Core tools in LangChain's and LangGraph's own loops, and in providers' requests."""

from collections.abc import Sequence
from typing import Any, cast

import pytest
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_anthropic import ChatAnthropic
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_google_genai import ChatGoogleGenerativeAI, _function_utils
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import (  # pyright: ignore[reportMissingTypeStubs]
    END,
    START,
    MessagesState,
    StateGraph,
)
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt  # pyright: ignore[reportMissingTypeStubs]
from pydantic import BaseModel, Field, SecretStr, TypeAdapter

from hackamore.core.errors import UsageError
from hackamore.core.tools import ToolOutput
from hackamore.langchain.interception import Next, ToolRequest
from hackamore.langchain.tools import as_langchain_tool

pytestmark = [pytest.mark.anyio, pytest.mark.req("LC-01")]

_CREATE_AGENT = cast(Any, create_agent)
_DECLARED = cast(Any, _function_utils).convert_to_genai_function_declarations
_PARAMETERS: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "runtime": {"type": "string", "enum": ["python", "node"]},
        "level": {"type": "integer", "enum": [1, 2]},
        "point": {"$ref": "#/definitions/Pt"},
        "mix": {"type": ["string", "null"]},
    },
    "required": ["runtime"],
    "definitions": {"Pt": {"type": "object", "properties": {"x": {"type": "number"}}}},
}


class _Scripted(BaseChatModel):
    """Says what is written down, and remembers what it was asked and bound to."""

    answers: list[AIMessage]
    asked: list[list[BaseMessage]] = Field(default_factory=list[list[BaseMessage]])
    bound: list[Any] = Field(default_factory=list[Any])

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        self.bound.extend(convert_to_openai_tool(one) for one in tools)
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.asked.append(messages)
        return ChatResult(generations=[ChatGeneration(message=self.answers.pop(0))])


@tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def _calls(*calls: tuple[str, dict[str, Any]]) -> AIMessage:
    asked = [
        {"type": "tool_call", "id": f"c{n}", "name": name, "args": arguments}
        for n, (name, arguments) in enumerate(calls)
    ]
    return AIMessage("", tool_calls=asked)


_ARGUMENTS = {"runtime": "python", "point": {"x": 1}, "mix": None, "config": 12345678901234567890}


@pytest.mark.req("LC-03")
@pytest.mark.parametrize("sync", [True, False])
async def test_an_agent_calls_it_next_to_a_local_tool(recording: Any, sync: bool) -> None:
    core = recording("started", _PARAMETERS, name="start_job")
    asked = _calls(("start_job", _ARGUMENTS), ("add", {"a": 1, "b": 2}))
    model = _Scripted(answers=[asked, AIMessage("Done.")])
    agent = _CREATE_AGENT(model, [as_langchain_tool(core), add])
    question = {"messages": [HumanMessage("go")]}
    end = agent.invoke(question) if sync else await agent.ainvoke(question)
    results = [one for one in end["messages"] if isinstance(one, ToolMessage)]
    assert [(one.content, one.status) for one in results] == [
        ("started", "success"),
        ("3", "success"),
    ]
    assert core.calls == [_ARGUMENTS]
    assert end["messages"][-1].content == "Done."


async def test_an_agent_goes_on_after_a_failure(recording: Any) -> None:
    core = recording(UsageError("'runtime' is missing."), _PARAMETERS, name="start_job")
    model = _Scripted(answers=[_calls(("start_job", {})), AIMessage("I see.")])
    agent = _CREATE_AGENT(model, [as_langchain_tool(core)])
    end = await agent.ainvoke({"messages": [HumanMessage("go")]})
    assert end["messages"][-2].status == "error"
    assert "runtime" in end["messages"][-2].content
    assert end["messages"][-1].content == "I see."


@pytest.mark.req("LC-03")
@pytest.mark.parametrize("sync", [True, False])
async def test_a_tool_node_injects_nothing(recording: Any, sync: bool) -> None:
    core = recording("started", _PARAMETERS, name="start_job")
    graph = StateGraph(MessagesState)
    node = ToolNode([as_langchain_tool(core), add])
    graph.add_node("tools", node)  # pyright: ignore[reportUnknownMemberType] - LangGraph's own
    graph.add_edge(START, "tools")
    graph.add_edge("tools", END)
    runnable: Any = graph.compile()  # pyright: ignore[reportUnknownMemberType]
    given = {"messages": [_calls(("start_job", _ARGUMENTS), ("add", {"a": 1, "b": 2}))]}
    end = runnable.invoke(given) if sync else await runnable.ainvoke(given)
    assert [one.content for one in end["messages"][1:]] == ["started", "3"]
    assert core.calls == [_ARGUMENTS]


@pytest.mark.parametrize("sync", [True, False])
async def test_it_works_in_a_chain(recording: Any, sync: bool) -> None:
    core = recording("started", _PARAMETERS, name="start_job")
    job = as_langchain_tool(core)
    model = _Scripted(answers=[_calls(("start_job", _ARGUMENTS))])

    def run_tools(message: AIMessage) -> list[Any]:
        return [job.invoke(call) for call in message.tool_calls]

    prompt = ChatPromptTemplate.from_messages([("human", "start {what}")])
    chain = prompt | model.bind_tools([job]) | RunnableLambda(run_tools)
    (message,) = chain.invoke({"what": "it"}) if sync else await chain.ainvoke({"what": "it"})
    assert (message.content, message.tool_call_id) == ("started", "c0")


def _bound(model: Any, job: Any) -> Any:
    (bound,) = model.bind_tools([job]).kwargs["tools"]
    return bound


@pytest.mark.req("LC-02")
def test_providers_are_sent_the_same_view(recording: Any) -> None:
    job = as_langchain_tool(recording("ok", _PARAMETERS, name="start_job"))
    shown = job.tool_call_schema
    assert isinstance(shown, type)
    assert issubclass(shown, BaseModel)
    expected = shown.model_json_schema()
    key = SecretStr("none")
    openai: Any = ChatOpenAI(model="m", api_key=key)
    assert _bound(openai, job)["function"]["parameters"] == expected
    anthropic: Any = ChatAnthropic(model_name="m", api_key=key, timeout=None, stop=None)
    assert _bound(anthropic, job)["input_schema"] == expected
    google: Any = ChatGoogleGenerativeAI(model="m", api_key=key)
    for given in (job, _bound(google, job)):
        (declared,) = _DECLARED([given])[0].function_declarations
        assert set(declared.parameters.properties or {}) == set(_PARAMETERS["properties"])
        assert declared.parameters.required == ["runtime"]


@pytest.mark.req("LC-02")
@pytest.mark.parametrize("name", ["$ref", "$defs", "title", "properties", "description", "type"])
def test_a_parameter_named_like_a_keyword_loses_no_other(recording: Any, name: str) -> None:
    job = as_langchain_tool(recording("ok", (name, "b")))
    shown = convert_to_openai_tool(job)["function"]["parameters"]["properties"]
    assert shown["b"] == {"type": "string"}
    assert name in shown or name == "$ref"
    _DECLARED([job])


@pytest.mark.req("LC-02")
def test_a_model_that_holds_the_arguments_shows_the_view(recording: Any) -> None:
    job = as_langchain_tool(recording("ok", ("$ref", "self", "b")))
    model: Any = job.args_schema
    adapter = TypeAdapter[Any](model)
    assert set(adapter.json_schema()["properties"]) == {"self", "b"}
    checked = adapter.validate_python({"self": 1, "b": None})
    assert checked.model_dump() == {"self": 1, "b": None}


def test_a_person_in_the_loop_can_be_put_before_it(recording: Any) -> None:
    job = as_langchain_tool(recording("started", _PARAMETERS, name="start_job"))
    model = _Scripted(answers=[_calls(("start_job", _ARGUMENTS)), AIMessage("Done.")])
    asking = HumanInTheLoopMiddleware(interrupt_on={"start_job": True})
    agent = _CREATE_AGENT(model, [job], middleware=[asking])
    end = agent.invoke({"messages": [HumanMessage("go")]})
    (interrupt,) = end["__interrupt__"]
    assert interrupt.value["action_requests"][0]["args"] == _ARGUMENTS


@pytest.mark.req("LC-07")
@pytest.mark.parametrize("sync", [True, False])
async def test_an_interceptor_may_interrupt_the_graph_to_ask(recording: Any, sync: bool) -> None:
    async def ask(request: ToolRequest, rest: Next) -> ToolOutput:
        answer = interrupt({"may": request.tool})
        return await rest(request) if answer == "yes" else ToolOutput("no", is_error=True)

    core = recording("started", name="start_job")
    model = _Scripted(answers=[_calls(("start_job", {"a": "x"})), AIMessage("Done.")])
    job = as_langchain_tool(core, interceptors=[ask])
    agent = _CREATE_AGENT(model, [job], checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}

    async def go(given: Any) -> Any:
        return agent.invoke(given, config) if sync else await agent.ainvoke(given, config)

    asked = await go({"messages": [HumanMessage("go")]})
    assert asked["__interrupt__"][0].value == {"may": "start_job"}
    assert not core.calls
    end = await go(Command(resume="yes"))
    assert core.calls == [{"a": "x"}]
    assert end["messages"][-1].content == "Done."
