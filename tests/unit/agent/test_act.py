"""One call: judged, asked, run and told."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from hackamore.agent.act import Actor
from hackamore.agent.approvals import Approvals, Standing
from hackamore.agent.together import act_all
from hackamore.core.approval import ALLOW_ALWAYS, ALLOW_ONCE, ApprovalRequest, Decision
from hackamore.core.bounded import MAX_CHARACTERS
from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.errors import WorkspaceError
from hackamore.core.events import (
    ApprovalAsked,
    ApprovalResolved,
    Event,
    FileChanged,
    ToolEnded,
    ToolStarted,
)
from hackamore.core.json import JSONObject
from hackamore.core.messages import ToolCall
from hackamore.core.policy import DEFAULT_ANSWERS, READ_ONLY_ANSWERS, Layer, Policy
from hackamore.core.tools import ToolOutput
from hackamore.testing.fake_clock import FakeClock
from hackamore.testing.function_tool import FunctionTool
from hackamore.testing.scripted_host import ScriptedHost

pytestmark = pytest.mark.anyio
_CHANGE = FileChange("a.py", "1\n", "2\n")


async def _done(arguments: JSONObject) -> ToolOutput:
    return ToolOutput(f"did {arguments.get('path', 'it')}")


class _Bench:
    """An actor with everything around it in reach."""

    def __init__(
        self,
        *tools: FunctionTool,
        host: ScriptedHost | None = None,
        layer: Layer | None = None,
        standing: Standing = "ask",
    ) -> None:
        self.events: list[Event] = []
        self.host = host or ScriptedHost()
        self.actor = Actor(
            tools={tool.spec.name: tool for tool in tools},
            policy=Policy((layer or Layer("the defaults", DEFAULT_ANSWERS),)),
            approvals=Approvals(standing),
            host=self.host,
            emit=self.events.append,
            clock=FakeClock(),
        )

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def ended(self) -> ToolEnded:
        return next(event for event in self.events if isinstance(event, ToolEnded))


def _written(change: FileChange) -> Callable[[JSONObject], Awaitable[ToolOutput]]:
    async def write(arguments: JSONObject) -> ToolOutput:
        return ToolOutput("written", changes=(change,))

    return write


def _writer() -> FunctionTool:
    return FunctionTool("write", _written(_CHANGE), effect=Effect.WRITE, changes=(_CHANGE,))


@pytest.mark.req("AGT-02")
async def test_a_read_runs_without_asking_between_started_and_ended() -> None:
    bench = _Bench(FunctionTool("read", _done))
    output = await bench.actor.call("read", {"path": "a"})
    assert output.text == "did a"
    assert bench.kinds() == ["ToolStarted", "ToolEnded"]
    started = bench.events[0]
    assert isinstance(started, ToolStarted)
    assert started.title == "read a"


@pytest.mark.req("AGT-12")
async def test_a_write_is_asked_with_its_diff_and_runs_after_a_yes() -> None:
    bench = _Bench(_writer(), host=ScriptedHost([ALLOW_ONCE]))
    await bench.actor.call("write", {"path": "a.py"})
    assert bench.host.requests[0].changes == (_CHANGE,)
    assert bench.kinds() == [
        "ToolStarted",
        "ApprovalAsked",
        "ApprovalResolved",
        "FileChanged",
        "ToolEnded",
    ]
    assert bench.events[3] == FileChanged(bench.ended().call_id, _CHANGE)


@pytest.mark.req("AGT-12")
async def test_a_no_is_told_with_the_persons_words_and_nothing_runs() -> None:
    tool = _writer()
    host = ScriptedHost([Decision("reject_once", "use the other file")])
    bench = _Bench(tool, host=host)
    output = await bench.actor.call("write", {"path": "a.py"})
    assert output.code is Code.APPROVAL_REJECTED
    assert "use the other file" in output.text
    assert not tool.calls
    assert bench.ended().status == "denied"


@pytest.mark.req("AGT-12")
async def test_putting_back_what_this_run_changed_needs_no_asking() -> None:
    there = FunctionTool("write", _written(_CHANGE), effect=Effect.WRITE, changes=(_CHANGE,))
    back = FileChange("a.py", "2\n", "1\n")
    bench = _Bench(there, host=ScriptedHost([ALLOW_ONCE]))
    await bench.actor.call("write", {"path": "a.py"})
    restore = FunctionTool("write", _written(back), effect=Effect.WRITE, changes=(back,))
    bench.actor.tools = {"write": restore}
    assert not (await bench.actor.call("write", {"path": "a.py"})).is_error
    assert len(bench.host.requests) == 1


@pytest.mark.req("AGT-12")
async def test_putting_back_over_what_somebody_else_wrote_is_asked() -> None:
    there = FunctionTool("write", _written(_CHANGE), effect=Effect.WRITE, changes=(_CHANGE,))
    back = FileChange("a.py", "the person's own\n", "1\n")
    bench = _Bench(there, host=ScriptedHost([ALLOW_ONCE]))
    await bench.actor.call("write", {"path": "a.py"})
    restore = FunctionTool("write", _written(back), effect=Effect.WRITE, changes=(back,))
    bench.actor.tools = {"write": restore}
    refused = await bench.actor.call("write", {"path": "a.py"})
    assert refused.code is Code.APPROVAL_REJECTED


@pytest.mark.req("AGT-12", "TOOL-02")
async def test_a_file_that_changes_during_the_question_is_not_written() -> None:
    tool = _writer()

    class Editing(ScriptedHost):
        async def approve(self, request: ApprovalRequest) -> Decision:
            tool.changes = (FileChange("a.py", "edited meanwhile\n", "2\n"),)
            return ALLOW_ONCE

    output = await _Bench(tool, host=Editing()).actor.call("write", {"path": "a.py"})
    assert output.code is Code.STALE_SNAPSHOT
    assert not tool.calls


@pytest.mark.req("AGT-12", "SBX-01")
@pytest.mark.parametrize("path", ["conftest.py", "/ws/conftest.py", "./conftest.py", "link.py"])
async def test_the_file_that_would_change_is_judged_by_whatever_name(path: str) -> None:
    change = FileChange("conftest.py", "", "x\n")
    tool = FunctionTool("write", _written(change), effect=Effect.WRITE, changes=(change,))
    layer = Layer("the rules", DEFAULT_ANSWERS, ask_paths=("/conftest.py",))
    bench = _Bench(tool, layer=layer, standing="edits")
    bench.actor.root = "/ws"
    await bench.actor.call("write", {"path": path})
    assert len(bench.host.requests) == 1
    assert not tool.calls


@pytest.mark.req("AGT-12")
async def test_a_grave_yes_is_never_remembered() -> None:
    change = FileChange("conftest.py", "", "x\n")
    tool = FunctionTool("write", _written(change), effect=Effect.WRITE, changes=(change,))
    layer = Layer("the rules", DEFAULT_ANSWERS, ask_paths=("/conftest.py",))
    bench = _Bench(tool, layer=layer, host=ScriptedHost([ALLOW_ALWAYS]))
    await bench.actor.call("write", {"path": "conftest.py"})
    await bench.actor.call("write", {"path": "conftest.py"})
    assert len(bench.host.requests) == 2


@pytest.mark.req("AGT-12")
async def test_another_change_of_the_same_file_is_asked_again() -> None:
    bench = _Bench(_writer(), host=ScriptedHost([ALLOW_ONCE]))
    await bench.actor.call("write", {"path": "a.py"})
    assert (await bench.actor.call("write", {"path": "a.py"})).code is Code.APPROVAL_REJECTED


@pytest.mark.req("AGT-12")
async def test_always_covers_the_same_path_and_no_other() -> None:
    bench = _Bench(_writer(), host=ScriptedHost([ALLOW_ALWAYS]))
    await bench.actor.call("write", {"path": "a.py", "content": "1"})
    await bench.actor.call("write", {"path": "a.py", "content": "2"})
    assert len(bench.host.requests) == 1
    refused = await bench.actor.call("write", {"path": "b.py", "content": "1"})
    assert refused.code is Code.APPROVAL_REJECTED


@pytest.mark.req("AGT-12")
@pytest.mark.parametrize(
    ("standing", "effect", "runs"),
    [
        ("edits", Effect.WRITE, True),
        ("edits", Effect.RUN, False),
        ("all", Effect.WRITE, True),
        ("all", Effect.RUN, True),
        ("all", Effect.NETWORK, True),
        ("none", Effect.WRITE, False),
        ("none", Effect.READ, True),
        ("ask", Effect.RUN, False),
    ],
)
async def test_the_standing_word_decides_what_passes(
    standing: Standing, effect: Effect, runs: bool
) -> None:
    tool = FunctionTool("t", _done, effect=effect)
    bench = _Bench(tool, standing=standing)
    await bench.actor.call("t", {"path": "x"})
    assert bool(tool.calls) is runs


@pytest.mark.req("AGT-12")
async def test_a_yes_to_edits_does_not_cover_files_that_run_by_themselves() -> None:
    layer = Layer("the rules", DEFAULT_ANSWERS, ask_paths=("conftest.py",))
    bench = _Bench(_writer(), layer=layer, standing="edits")
    await bench.actor.call("write", {"path": "conftest.py"})
    assert len(bench.host.requests) == 1


@pytest.mark.req("AGT-12")
async def test_what_the_policy_denies_is_not_even_asked() -> None:
    tool = _writer()
    bench = _Bench(tool, layer=Layer("plan mode", READ_ONLY_ANSWERS), standing="all")
    output = await bench.actor.call("write", {"path": "a.py"})
    assert output.code is Code.PERMISSION_DENIED
    assert "plan mode" in output.text
    assert not tool.calls


@pytest.mark.req("AGT-04")
async def test_an_unknown_tool_is_a_result_that_names_the_known_ones() -> None:
    output = await _Bench(FunctionTool("read", _done)).actor.call("raed", {})
    assert output.code is Code.UNKNOWN_TOOL
    assert "read" in output.text


@pytest.mark.req("AGT-04")
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (WorkspaceError("There is no file a.", code=Code.NOT_FOUND), Code.NOT_FOUND),
        (ZeroDivisionError("oh"), Code.INTERNAL),
    ],
)
async def test_a_tools_failure_is_a_result(error: Exception, code: Code) -> None:
    async def fail(arguments: JSONObject) -> ToolOutput:
        raise error

    bench = _Bench(FunctionTool("t", fail))
    output = await bench.actor.call("t", {})
    assert output.is_error
    assert output.code is code
    assert bench.ended().status == "error"


@pytest.mark.req("AGT-02")
async def test_a_cancelled_call_still_ends() -> None:
    started = asyncio.Event()

    async def hang(arguments: JSONObject) -> ToolOutput:
        started.set()
        await asyncio.Event().wait()
        return ToolOutput("never")

    bench = _Bench(FunctionTool("t", hang))
    task = asyncio.create_task(bench.actor.call("t", {}))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bench.ended().status == "cancelled"


@pytest.mark.req("AGT-02")
async def test_a_question_that_is_cancelled_is_still_resolved() -> None:
    asked = asyncio.Event()

    class Undecided(ScriptedHost):
        async def approve(self, request: object) -> Decision:
            asked.set()
            await asyncio.Event().wait()
            return ALLOW_ONCE

    bench = _Bench(_writer(), host=Undecided())
    task = asyncio.create_task(bench.actor.call("write", {"path": "a"}))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    kinds = [type(event) for event in bench.events]
    assert kinds == [ToolStarted, ApprovalAsked, ApprovalResolved, ToolEnded]


@pytest.mark.req("AGT-03")
async def test_neighbouring_reads_run_together_and_answer_in_the_asked_order() -> None:
    both = asyncio.Barrier(2)

    async def meet(arguments: JSONObject) -> ToolOutput:
        await both.wait()
        return ToolOutput(str(arguments["path"]))

    bench = _Bench(FunctionTool("read", meet))
    calls = [ToolCall("1", "read", {"path": "a"}), ToolCall("2", "read", {"path": "b"})]
    outputs = await act_all(bench.actor, calls)
    assert [output.text for output in outputs] == ["a", "b"]


@pytest.mark.req("AGT-03")
async def test_what_changes_something_runs_alone_and_in_order() -> None:
    running: list[str] = []
    seen: list[tuple[str, int]] = []

    def tool(name: str, effect: Effect) -> FunctionTool:
        async def run(arguments: JSONObject) -> ToolOutput:
            running.append(name)
            await asyncio.sleep(0)
            seen.append((name, len(running)))
            running.remove(name)
            return ToolOutput(name)

        return FunctionTool(name, run, effect=effect)

    bench = _Bench(tool("r", Effect.READ), tool("w", Effect.WRITE), standing="all")
    names = ["w", "w", "r", "r", "w", "r"]
    calls = [ToolCall(str(at), name, {"path": str(at)}) for at, name in enumerate(names)]
    outputs = await act_all(bench.actor, calls)
    assert [output.text for output in outputs] == names
    assert [count for name, count in seen if name == "w"] == [1, 1, 1]
    assert seen[2][1] == 2


@pytest.mark.req("AGT-03")
async def test_calls_after_the_answer_are_not_run() -> None:
    async def answer(arguments: JSONObject) -> ToolOutput:
        return ToolOutput("ok", answer="done")

    late = FunctionTool("late", _done, effect=Effect.RUN)
    bench = _Bench(FunctionTool("answer", answer, effect=Effect.WRITE), late, standing="all")
    await act_all(bench.actor, [ToolCall("1", "answer", {}), ToolCall("2", "late", {})])
    assert not late.calls


@pytest.mark.req("TOOL-03")
async def test_an_output_without_bounds_reaches_the_model_as_head_and_tail() -> None:
    async def much(arguments: JSONObject) -> ToolOutput:
        return ToolOutput("start" + "x" * 1_000_000 + "end")

    bench = _Bench(FunctionTool("much", much))
    output = await bench.actor.call("much", {"path": "a"})
    assert len(output.text) <= MAX_CHARACTERS
    assert output.text.startswith("start")
    assert output.text.endswith("end")
    assert "left out" in output.text
