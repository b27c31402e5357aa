"""LangChain's own ways hold: callbacks, tags, metadata, interceptors, progress, headers.

What nobody watches takes a short way; it must give the same.
"""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast
from unittest.mock import MagicMock

import pytest
from langchain_core.callbacks import BaseCallbackHandler, adispatch_custom_event
from langchain_core.globals import set_debug
from langchain_core.runnables import RunnableConfig, RunnableLambda, ensure_config
from langchain_core.tracers.context import collect_runs, tracing_v2_enabled
from langsmith import Client

from hackamore.core.errors import ConnectionLost
from hackamore.core.events import ToolProgress, Warned
from hackamore.core.tools import ToolContext, ToolOutput
from hackamore.langchain.interception import Next, ToolRequest
from hackamore.langchain.tools import as_langchain_tool

pytestmark = [pytest.mark.anyio, pytest.mark.req("LC-07")]

_CALL: Any = {"type": "tool_call", "id": "c1", "name": "look", "args": {"a": "x"}}


class _Watcher(BaseCallbackHandler):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []
        self.settings: list[dict[str, Any]] = []

    def on_tool_start(self, serialized: Any, input_str: str, **kwargs: Any) -> None:
        self.told.append(("start", kwargs["inputs"]))
        self.settings.append(kwargs)

    def on_tool_end(self, output: Any, **kwargs: Any) -> None:
        self.told.append(("end", output))
        self.settings.append(kwargs)

    def on_tool_error(self, error: BaseException, **kwargs: Any) -> None:
        self.told.append(("error", type(error)))

    def on_custom_event(self, name: str, data: Any, **kwargs: Any) -> None:
        self.told.append((name, data["text"]))
        self.settings.append(kwargs)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.told]


async def _invoke(tool: Any, sync: bool, given: Any, config: Any = None) -> Any:
    if sync:
        return await asyncio.to_thread(tool.invoke, given, config)
    return await tool.ainvoke(given, config)


_BOTH = pytest.mark.parametrize("sync", [True, False])


@_BOTH
async def test_a_watcher_is_told_of_start_and_end_with_tags_metadata_and_run_id(
    recording: Any, sync: bool
) -> None:
    watcher, run_id = _Watcher(), uuid.uuid4()
    tool = as_langchain_tool(recording("seen", server="srv", server_tool="look.it"))
    config = {
        "callbacks": [watcher],
        "tags": ["mine"],
        "metadata": {"user": "u1"},
        "run_id": run_id,
        "run_name": "my look",
    }
    message = await _invoke(tool, sync, _CALL, config)
    assert watcher.told == [("start", {"a": "x"}), ("end", message)]
    start = watcher.settings[0]
    assert start["run_id"] == run_id
    assert start["tags"] == ["mine"]
    assert start["name"] == "my look"
    expected = {"user": "u1", "server": "srv", "server_tool": "look.it", "effect": "read"}
    assert start["metadata"] == expected


@_BOTH
async def test_a_watcher_sees_reserved_names_too(recording: Any, sync: bool) -> None:
    watcher = _Watcher()
    tool = as_langchain_tool(recording("seen", ("run_manager", "callbacks")))
    arguments = {"run_manager": "a", "callbacks": "b"}
    await _invoke(tool, sync, arguments, {"callbacks": [watcher]})
    assert watcher.told[0] == ("start", arguments)


@_BOTH
async def test_a_failure_ends_and_a_bug_errs(recording: Any, sync: bool) -> None:
    watcher = _Watcher()
    config = {"callbacks": [watcher]}
    message = await _invoke(as_langchain_tool(recording(ConnectionLost("x"))), sync, _CALL, config)
    assert watcher.told[1:] == [("end", message)]
    with pytest.raises(ZeroDivisionError):
        await _invoke(as_langchain_tool(recording(ZeroDivisionError())), sync, _CALL, config)
    assert watcher.told[-1] == ("error", ZeroDivisionError)


async def test_a_cancel_is_told_as_an_error(recording: Any) -> None:
    watcher, begun = _Watcher(), asyncio.Event()

    async def wait(_context: ToolContext) -> ToolOutput:
        begun.set()
        return await asyncio.Future()

    tool = as_langchain_tool(recording(wait))
    running = asyncio.ensure_future(tool.ainvoke(_CALL, {"callbacks": [watcher]}))
    await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert watcher.told[-1] == ("error", asyncio.CancelledError)


_ANSWERS = [
    ToolOutput("seen"),
    ToolOutput("no", is_error=True),
    ToolOutput("", structured=[1, {"b": None}]),
    ConnectionLost("gone", hint="Start it."),
]


@_BOTH
@pytest.mark.parametrize("answer", _ANSWERS, ids=["text", "error", "structured", "lost"])
@pytest.mark.parametrize("given", [_CALL, {"a": "x"}, "x"], ids=["call", "arguments", "text"])
@pytest.mark.req("LC-06")
async def test_unwatched_and_watched_give_the_same(
    recording: Any, sync: bool, answer: Any, given: Any
) -> None:
    core = recording(answer)
    tool = as_langchain_tool(core)
    short = await _invoke(tool, sync, given)
    long = await _invoke(tool, sync, given, {"callbacks": [BaseCallbackHandler()]})
    assert short == long
    assert type(short) is type(long)
    assert core.calls == [{"a": "x"}, {"a": "x"}]


@pytest.mark.req("LC-06")
@pytest.mark.parametrize("watched", [True, False])
@_BOTH
async def test_runs_inside_a_call_inherit_its_configuration(
    recording: Any, watched: bool, sync: bool
) -> None:
    inside: list[RunnableConfig] = []
    events: list[str] = []

    async def look(_context: ToolContext) -> ToolOutput:
        inside.append(ensure_config())
        await adispatch_custom_event("mine", {"text": "hello"})
        events.append("dispatched")
        return ToolOutput("seen")

    tool = as_langchain_tool(recording(look))
    config: Any = {
        "tags": ["mine"],
        "metadata": {"user": "u1"},
        "configurable": {"thread_id": "t"},
        "run_id": uuid.uuid4(),
        "run_name": "named",
        "recursion_limit": 7,
    }
    if watched:
        config["callbacks"] = [BaseCallbackHandler()]
    await _invoke(tool, sync, _CALL, config)
    (found,) = inside
    assert found.get("tags") == ["mine"]
    assert (found.get("metadata") or {})["user"] == "u1"
    assert (found.get("configurable") or {})["thread_id"] == "t"
    assert found.get("recursion_limit") == 7
    assert "run_id" not in found
    assert "run_name" not in found
    manager: Any = found.get("callbacks")
    assert manager.parent_run_id == config["run_id"]
    assert manager.inheritable_tags == ["mine"]
    assert manager.inheritable_metadata == {"user": "u1"}
    assert events == ["dispatched"]


@pytest.mark.req("LC-06")
async def test_after_an_unwatched_call_the_configuration_is_as_before(recording: Any) -> None:
    before = ensure_config()
    await as_langchain_tool(recording()).ainvoke(_CALL, {"tags": ["mine"]})
    assert ensure_config() == before


@pytest.mark.req("LC-06")
async def test_only_an_unwatched_call_takes_the_short_way(recording: Any) -> None:
    core = recording()
    tool = as_langchain_tool(core)
    await tool.ainvoke(_CALL)
    await tool.ainvoke(_CALL, {"callbacks": [BaseCallbackHandler()]})
    short, long = core.tasks
    assert short is asyncio.current_task()
    assert long is not asyncio.current_task()


@_BOTH
async def test_watchers_of_the_tool_itself_are_told(recording: Any, sync: bool) -> None:
    watcher = _Watcher()
    tool = as_langchain_tool(recording())
    tool.callbacks = [watcher]
    await _invoke(tool, sync, _CALL)
    assert watcher.names == ["start", "end"]


@_BOTH
async def test_watchers_around_the_call_are_told(recording: Any, sync: bool) -> None:
    watcher = _Watcher()
    tool = as_langchain_tool(recording())

    def outer_sync(_given: str) -> Any:
        return tool.invoke(_CALL)

    async def outer(_given: str) -> Any:
        return await tool.ainvoke(_CALL)

    chain = RunnableLambda(outer_sync) if sync else RunnableLambda(outer)
    await _invoke(chain, sync, "go", {"callbacks": [watcher], "tags": ["outer"]})
    assert watcher.names == ["start", "end"]
    assert watcher.settings[0]["tags"] == ["outer"]
    assert watcher.settings[0]["parent_run_id"]


@_BOTH
async def test_registered_hooks_are_watchers(recording: Any, sync: bool) -> None:
    tool = as_langchain_tool(recording())
    with collect_runs() as collected:
        await _invoke(tool, sync, _CALL)
    (run,) = collected.traced_runs
    assert (run.name, run.run_type) == ("look", "tool")


@_BOTH
async def test_a_tracer_is_a_watcher(recording: Any, sync: bool) -> None:
    tool = as_langchain_tool(recording())
    with tracing_v2_enabled(client=cast(Client, MagicMock())) as tracer:
        await _invoke(tool, sync, _CALL)
    assert tracer.latest_run is not None
    assert tracer.latest_run.name == "look"


@_BOTH
async def test_debugging_and_verbose_tools_print(
    recording: Any, sync: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = as_langchain_tool(recording("seen"))
    set_debug(True)
    try:
        await _invoke(tool, sync, _CALL)
    finally:
        set_debug(False)
    assert "[tool/end]" in capsys.readouterr().out
    tool.verbose = True
    await _invoke(tool, sync, _CALL)
    assert "seen" in capsys.readouterr().out


@_BOTH
async def test_progress_comes_as_custom_events_in_order(recording: Any, sync: bool) -> None:
    async def look(context: ToolContext) -> ToolOutput:
        context.emit(ToolProgress(context.call_id, "look", "one"))
        context.emit(Warned("not progress"))
        await asyncio.to_thread(context.emit, ToolProgress(context.call_id, "look", "two"))
        context.emit(ToolProgress(context.call_id, "look", "three"))
        return ToolOutput("seen")

    watcher = _Watcher()
    tool = as_langchain_tool(recording(look))
    config = {"callbacks": [watcher], "tags": ["mine"], "metadata": {"user": "u1"}}
    await _invoke(tool, sync, _CALL, config)
    progress = [told for told in watcher.told if told[0] == "tool_progress"]
    assert progress == [("tool_progress", text) for text in ("one", "two", "three")]
    assert watcher.names[-1] == "end"
    assert watcher.settings[1]["tags"] == ["mine"]
    assert watcher.settings[1]["metadata"]["user"] == "u1"
    assert await _invoke(tool, sync, {"a": "x"}) == "seen"


async def test_progress_comes_in_the_stream_of_events(recording: Any) -> None:
    async def look(context: ToolContext) -> ToolOutput:
        context.emit(ToolProgress(context.call_id, "look", "half"))
        return ToolOutput("seen")

    tool = as_langchain_tool(recording(look))
    events = [event async for event in tool.astream_events(_CALL, version="v2")]
    (custom,) = [event for event in events if event["event"] == "on_custom_event"]
    assert custom["data"] == {"tool": "look", "call_id": "c1", "text": "half"}


async def test_progress_before_a_failure_is_told(recording: Any) -> None:
    async def look(context: ToolContext) -> ToolOutput:
        context.emit(ToolProgress(context.call_id, "look", "half"))
        raise ConnectionLost("gone")

    watcher = _Watcher()
    await as_langchain_tool(recording(look)).ainvoke(_CALL, {"callbacks": [watcher]})
    assert watcher.names == ["start", "tool_progress", "end"]


async def test_what_is_told_after_the_end_is_told_to_nobody(recording: Any) -> None:
    core, watcher = recording(), _Watcher()
    await as_langchain_tool(core).ainvoke(_CALL, {"callbacks": [watcher]})
    core.contexts[0].emit(ToolProgress("c1", "look", "late"))
    assert watcher.names == ["start", "end"]


def _named(name: str, seen: list[str]) -> Callable[..., Any]:
    async def interceptor(request: ToolRequest, rest: Next) -> ToolOutput:
        seen.append(f"{name} in")
        output = await rest(request)
        seen.append(f"{name} out")
        return replace(output, text=f"{output.text} {name}")

    return interceptor


@_BOTH
async def test_interceptors_stand_around_a_call_like_an_onion(recording: Any, sync: bool) -> None:
    seen: list[str] = []
    layers = [_named("outer", seen), _named("inner", seen)]
    tool = as_langchain_tool(recording("seen"), interceptors=layers)
    assert await _invoke(tool, sync, {"a": "x"}) == "seen inner outer"
    assert seen == ["outer in", "inner in", "inner out", "outer out"]


@pytest.mark.parametrize("watched", [True, False])
async def test_an_interceptor_sees_the_call_and_its_configuration(
    recording: Any, watched: bool
) -> None:
    seen: list[ToolRequest] = []

    async def look_at(request: ToolRequest, rest: Next) -> ToolOutput:
        seen.append(request)
        return await rest(request)

    core = recording("seen", name="srv__look", server="srv", server_tool="look")
    tool = as_langchain_tool(core, interceptors=[look_at])
    config: Any = {"tags": ["t"], "metadata": {"user": "u1"}, "configurable": {"key": "k"}}
    if watched:
        config["callbacks"] = [BaseCallbackHandler()]
    await tool.ainvoke(_CALL, config)
    (request,) = seen
    assert (request.tool, request.server, request.server_tool) == ("srv__look", "srv", "look")
    assert (request.call_id, request.arguments) == ("c1", {"a": "x"})
    assert request.config.get("tags") == ["t"]
    assert (request.config.get("metadata") or {})["user"] == "u1"
    assert (request.config.get("configurable") or {})["key"] == "k"


async def test_an_interceptor_changes_arguments_and_headers_for_one_call(recording: Any) -> None:
    async def sign(request: ToolRequest, rest: Next) -> ToolOutput:
        user = (request.config.get("configurable") or {})["user"]
        changed = {**request.arguments, "b": "added"}
        return await rest(replace(request, arguments=changed, headers={"X-User": user}))

    core = recording()
    tool = as_langchain_tool(core, interceptors=[sign])
    await tool.ainvoke(_CALL, {"configurable": {"user": "u1"}})
    await tool.ainvoke(_CALL, {"configurable": {"user": "u2"}})
    assert core.calls == [{"a": "x", "b": "added"}] * 2
    assert [context.headers for context in core.contexts] == [{"X-User": "u1"}, {"X-User": "u2"}]
    assert _CALL["args"] == {"a": "x"}


async def test_an_interceptor_may_answer_itself_or_try_again(recording: Any) -> None:
    async def cached(request: ToolRequest, rest: Next) -> ToolOutput:
        return ToolOutput("from memory")

    core = recording()
    assert await as_langchain_tool(core, interceptors=[cached]).ainvoke({}) == "from memory"
    assert not core.calls

    async def twice(request: ToolRequest, rest: Next) -> ToolOutput:
        try:
            return await rest(request)
        except ConnectionLost:
            return await rest(request)

    core = recording(ConnectionLost("gone"))
    message = await as_langchain_tool(core, interceptors=[twice]).ainvoke(_CALL)
    assert (message.status, len(core.calls)) == ("error", 2)
