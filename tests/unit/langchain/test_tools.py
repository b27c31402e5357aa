"""A core tool in LangChain's clothes: names, values, results, failures, sync and async."""

import asyncio
import copy
import keyword
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel

from hackamore.core.codes import Code
from hackamore.core.errors import CallTimeout, ConnectionLost, UsageError
from hackamore.core.tools import ToolContext, ToolOutput, Touch
from hackamore.langchain.tools import as_langchain_tool
from hackamore.testing.function_tool import FunctionTool

pytestmark = pytest.mark.anyio

_HARD_NAMES = [
    "self",
    "cls",
    "config",
    "runtime",
    "run_manager",
    "callbacks",
    "args",
    "kwargs",
    "input",
    "tool_input",
    "tool_call_id",
    "state",
    "store",
    "type",
    "id",
    "name",
    "given",
    "verbose",
    "model_config",
    "_x",
    "__class__",
    "a-b",
    "a.b",
    "a b",
    "$filter",
    "$ref",
    "1st",
    "日本",
    "",
    *keyword.kwlist,
]


def _call(arguments: Any, call_id: str = "c1") -> Any:
    return {"type": "tool_call", "id": call_id, "name": "look", "args": arguments}


@pytest.mark.req("LC-01")
async def test_a_core_tool_becomes_a_langchain_tool(recording: Any) -> None:
    core = recording("seen", ("a",), name="srv__look", description="Look at it.")
    tool = as_langchain_tool(core)
    assert isinstance(tool, BaseTool)
    assert (tool.name, tool.description) == ("srv__look", "Look at it.")
    message = await tool.ainvoke(_call({"a": "x"}))
    assert message == ToolMessage(
        "seen", tool_call_id="c1", name="srv__look", status="success", artifact=None
    )
    assert core.calls == [{"a": "x"}]
    assert core.contexts[0].call_id == "c1"


@pytest.mark.req("LC-01")
async def test_called_with_plain_arguments_it_gives_the_content(recording: Any) -> None:
    assert await as_langchain_tool(recording("seen")).ainvoke({"a": "x"}) == "seen"
    failing = as_langchain_tool(recording(ToolOutput("no", is_error=True)))
    assert await failing.ainvoke({"a": "x"}) == "no"
    assert failing.invoke({"a": "x"}) == "no"


@pytest.mark.req("LC-02")
async def test_the_schema_that_models_see_is_a_pydantic_one_that_changes_nothing(
    recording: Any,
) -> None:
    parameters = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"p": {"$ref": "#/definitions/Pt"}},
        "required": ["p"],
        "definitions": {"Pt": {"type": "object", "properties": {"x": {"type": "number"}}}},
    }
    before = copy.deepcopy(parameters)
    tool = as_langchain_tool(recording("ok", parameters))
    shown = {
        "type": "object",
        "properties": {"p": {"type": "object", "properties": {"x": {"type": "number"}}}},
        "required": ["p"],
    }
    assert isinstance(tool.args_schema, type)
    assert issubclass(tool.args_schema, BaseModel)
    assert tool.args_schema.model_json_schema() == shown
    assert tool.tool_call_schema is tool.args_schema
    assert tool.args == shown["properties"]
    assert convert_to_openai_tool(tool)["function"]["parameters"] == shown
    assert parameters == before


@pytest.mark.req("LC-02")
def test_what_one_reader_does_to_a_schema_no_other_sees(recording: Any) -> None:
    tool = as_langchain_tool(recording())
    tool.args["a"]["type"] = "integer"
    assert tool.args == {"a": {"type": "string"}}


@pytest.mark.req("LC-03")
@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("watched", [True, False])
async def test_names_of_arguments_are_data(recording: Any, sync: bool, watched: bool) -> None:
    core = recording("ok", _HARD_NAMES)
    tool = as_langchain_tool(core)
    arguments = dict.fromkeys(_HARD_NAMES, "v")
    config: Any = {"callbacks": [BaseCallbackHandler()]} if watched else None
    for given_input in (_call(arguments), arguments):
        if sync:
            await asyncio.to_thread(tool.invoke, given_input, config)
        else:
            await tool.ainvoke(given_input, config)
    assert core.calls == [arguments, arguments]
    for name in ("self", "runtime", "run_manager", "日本", "class"):
        assert name in convert_to_openai_tool(tool)["function"]["parameters"]["properties"]


@pytest.mark.req("LC-03")
async def test_an_argument_named_type_may_hold_what_marks_a_tool_call(recording: Any) -> None:
    core = recording("ok", ("type", "id"))
    tool = as_langchain_tool(core)
    assert await tool.ainvoke({"type": "tool_call", "id": "7"}) == "ok"
    assert core.calls == [{"type": "tool_call", "id": "7"}]


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.req("LC-02", "LC-03")
@given(st.dictionaries(st.text(max_size=6) | st.sampled_from(_HARD_NAMES), _VALUES, max_size=5))
def test_what_is_sent_is_the_models_own_json(arguments: dict[str, Any]) -> None:
    sent: list[Any] = []

    async def run(given_arguments: Any) -> ToolOutput:
        sent.append(given_arguments)
        return ToolOutput("ok")

    core = FunctionTool("look", run, parameters=("a", "b"))
    before = copy.deepcopy(arguments)
    asyncio.run(as_langchain_tool(core).ainvoke(_call(arguments)))
    assert repr(sent) == repr([before])
    assert arguments == before


@pytest.mark.req("LC-02")
async def test_a_text_alone_is_the_only_parameter(recording: Any) -> None:
    core = recording("ok", ("query",))
    assert await as_langchain_tool(core).ainvoke("hello") == "ok"
    assert core.calls == [{"query": "hello"}]
    two = recording("ok", ("a", "b"))
    said = await as_langchain_tool(two).ainvoke("hello")
    assert "named arguments" in said
    assert "a, b" in said
    assert not two.calls


@pytest.mark.req("LC-04")
@pytest.mark.parametrize(
    "error",
    [
        ConnectionLost("The server went away.", hint="Start it."),
        CallTimeout("Too late."),
        UsageError("'param_a' is missing."),
        ToolException("Broken."),
    ],
)
@pytest.mark.parametrize("sync", [True, False])
async def test_a_failure_is_a_message_with_its_words(
    recording: Any, error: Exception, sync: bool
) -> None:
    tool = as_langchain_tool(recording(error))
    call = _call({})
    message = await asyncio.to_thread(tool.invoke, call) if sync else await tool.ainvoke(call)
    assert message.status == "error"
    assert message.content == str(error)
    assert await tool.ainvoke({}) == str(error)


@pytest.mark.req("LC-04")
async def test_the_code_of_a_failure_is_in_the_artifact(recording: Any) -> None:
    message = await as_langchain_tool(recording(CallTimeout("Too late."))).ainvoke(_call({}))
    assert message.artifact == {"code": Code.MCP_TIMEOUT.value}


@pytest.mark.req("LC-04")
async def test_structured_data_are_in_the_artifact_and_in_the_text_only_when_it_is_alone(
    recording: Any,
) -> None:
    alone = as_langchain_tool(recording(ToolOutput("", structured={"n": [1]})))
    message = await alone.ainvoke(_call({}))
    assert (message.content, message.artifact) == ('{"n": [1]}', {"structured_content": {"n": [1]}})
    beside = as_langchain_tool(recording(ToolOutput("one", structured={"n": [1]})))
    message = await beside.ainvoke(_call({}))
    assert (message.content, message.artifact) == ("one", {"structured_content": {"n": [1]}})


@pytest.mark.req("LC-04")
async def test_a_bug_in_a_tool_stays_an_exception(recording: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        await as_langchain_tool(recording(ZeroDivisionError("bug"))).ainvoke(_call({}))


@pytest.mark.req("LC-04")
@pytest.mark.parametrize("watched", [True, False])
async def test_a_cancel_stays_a_cancel(recording: Any, watched: bool) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def wait(_context: ToolContext) -> ToolOutput:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ToolOutput("never")

    tool = as_langchain_tool(recording(wait))
    config: Any = {"callbacks": [BaseCallbackHandler()]} if watched else None
    running = asyncio.ensure_future(tool.ainvoke(_call({}), config))
    await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await asyncio.wait_for(ended.wait(), 5)


@pytest.mark.req("LC-01")
def test_it_can_be_invoked_from_many_threads_without_a_loop(recording: Any) -> None:
    core = recording("ok")
    tool = as_langchain_tool(core)
    with ThreadPoolExecutor(8) as pool:
        calls = [_call({"a": str(n)}, f"c{n}") for n in range(40)]
        messages = list(pool.map(tool.invoke, calls))
    assert [message.tool_call_id for message in messages] == [f"c{n}" for n in range(40)]
    assert sorted(call["a"] for call in core.calls) == sorted(str(n) for n in range(40))


@pytest.mark.req("LC-01")
async def test_it_can_be_invoked_inside_a_running_loop(recording: Any) -> None:
    tool = as_langchain_tool(recording("ok"))
    assert tool.invoke({"a": "x"}) == "ok"


@pytest.mark.req("LC-01")
def test_a_tool_may_invoke_a_tool(recording: Any) -> None:
    inner = as_langchain_tool(recording("inside"))

    async def outer(_context: ToolContext) -> ToolOutput:
        return ToolOutput(f"outside of {inner.invoke({'a': 'x'})}")

    assert as_langchain_tool(recording(outer)).invoke({"a": "x"}) == "outside of inside"


@pytest.mark.req("LC-01")
def test_tools_share_one_thread_for_sync_calls(recording: Any) -> None:
    async def where(_context: ToolContext) -> ToolOutput:
        return ToolOutput(threading.current_thread().name)

    names = {as_langchain_tool(recording(where)).invoke({}) for _ in range(3)}
    assert names == {"hackamore-tools"}


@pytest.mark.req("LC-01")
async def test_a_given_runner_runs_all_calls(recording: Any) -> None:
    class Counting:
        def __init__(self) -> None:
            self.ran: list[str] = []

        def run_sync(self, work: Any) -> Any:
            self.ran.append("sync")
            with ThreadPoolExecutor(1) as pool:
                return pool.submit(asyncio.run, work).result()

        async def run(self, work: Any) -> Any:
            self.ran.append("async")
            return await work

    runner = Counting()
    tool = as_langchain_tool(recording("ok"), runner=runner)
    handled: Any = {"callbacks": [BaseCallbackHandler()]}
    assert [tool.invoke({}), await tool.ainvoke({}), await tool.ainvoke({}, handled)] == ["ok"] * 3
    assert tool.invoke({}, handled) == "ok"
    assert runner.ran == ["sync", "async", "async", "sync"]


@pytest.mark.req("LC-01")
async def test_nobody_is_asked_when_no_host_is_given(recording: Any) -> None:
    core = recording("ok")
    await as_langchain_tool(core).ainvoke({})
    assert await core.contexts[0].host.ask("?", ()) is None
    assert core.touches({}) == Touch()


@pytest.mark.req("LC-01")
def test_copies_call_the_same_tool(recording: Any) -> None:
    core = recording("ok")
    tool = as_langchain_tool(core)
    renamed = tool.model_copy(update={"name": "other"})
    for one in (copy.copy(tool), copy.deepcopy(tool), renamed):
        assert one.invoke(_call({"a": "x"})).content == "ok"
    assert renamed.invoke(_call({})).name == "other"
    assert len(core.calls) == 4


@pytest.mark.req("LC-01")
async def test_batches_and_bound_configurations_work(recording: Any) -> None:
    tool = as_langchain_tool(recording("ok"))
    given_inputs: list[Any] = [{"a": "1"}, {"a": "2"}]
    assert tool.batch(given_inputs) == ["ok", "ok"]
    assert await tool.abatch(given_inputs) == ["ok", "ok"]
    assert await tool.with_config(tags=["t"]).ainvoke({"a": "x"}) == "ok"
    assert [piece async for piece in tool.astream({"a": "x"})] == ["ok"]
