"""The loop: think, act, observe, and every way to end."""

import asyncio
from collections.abc import Sequence

import pytest

from hackamore.agent.act import Actor
from hackamore.agent.approvals import Approvals
from hackamore.agent.history import History
from hackamore.agent.limits import Limits
from hackamore.agent.loop import Loop
from hackamore.agent.prompt import Prompt, PromptPart
from hackamore.agent.think import Mind
from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.errors import (
    ContextOverflow,
    ModelBusy,
    ModelError,
    ModelStalled,
    ToolsUnsupported,
)
from hackamore.core.events import Event, RunResult, StepEnded, StepStarted, ToolStarted, Warned
from hackamore.core.json import JSONObject
from hackamore.core.messages import Message, user
from hackamore.core.policy import Policy
from hackamore.core.tools import ToolOutput
from hackamore.formats.registry import get_format
from hackamore.testing.fake_clock import FakeClock
from hackamore.testing.function_tool import FunctionTool
from hackamore.testing.scripted_host import ScriptedHost
from hackamore.testing.scripted_model import Say, ScriptedModel

pytestmark = pytest.mark.anyio

_PROMPT = Prompt((PromptPart("role", "You are a test."), PromptPart("mode", "")))


async def _echo(arguments: JSONObject) -> ToolOutput:
    return ToolOutput(f"read {arguments.get('path')}")


async def _finish(arguments: JSONObject) -> ToolOutput:
    return ToolOutput("ok", answer=str(arguments["result"]))


class _Desk:
    """A loop with everything around it in reach."""

    def __init__(
        self,
        *answers: Say,
        limits: Limits | None = None,
        format_name: str = "native",
        history: Sequence[Message] = (),
    ) -> None:
        self.events: list[Event] = []
        self.clock = FakeClock()
        self.model = ScriptedModel(*answers)
        self.reader = FunctionTool("read_file", _echo)
        tools = {
            one.spec.name: one
            for one in (
                self.reader,
                FunctionTool("finish", _finish, effect=Effect.WRITE, parameters=["result"]),
            )
        }
        limits = limits or Limits()
        emit = self.events.append
        actor = Actor(tools, Policy(()), Approvals(), ScriptedHost(), emit, self.clock)
        mind = Mind(
            model=self.model,
            format=get_format(format_name),
            formats={name: get_format(name) for name in ("native", "xml")},
            tools=[tool.spec for tool in tools.values()],
            prompt=_PROMPT,
            limits=limits,
            clock=self.clock,
            emit=emit,
        )
        self.history = History(history)
        self.loop = Loop(mind, actor, self.history, limits, emit)

    async def run(self, words: str = "go") -> RunResult:
        return await self.loop.run(user(words))

    def told(self) -> str:
        """Return the last thing that the model was told."""
        last = self.model.requests[-1].messages[-1]
        return last.text + "".join(result.text for result in last.results())

    def roles(self) -> list[str]:
        return [message.role for message in self.history.messages]

    def warnings(self) -> list[str]:
        return [event.message for event in self.events if isinstance(event, Warned)]


def _read(path: str, text: str = "") -> Say:
    return Say(text=text, calls=[("read_file", {"path": path})])


@pytest.mark.req("AGT-01", "AGT-05")
async def test_it_reads_and_then_answers() -> None:
    desk = _Desk(_read("a.py", "Let me look."), Say(text="It prints 1."))
    result = await desk.run()
    assert result == RunResult("success", "It prints 1.", "done")
    assert desk.reader.calls == [{"path": "a.py"}]
    assert desk.roles() == ["user", "assistant", "tool", "assistant"]
    assert desk.told() == "read a.py"


@pytest.mark.req("AGT-05", "AGT-08")
async def test_every_request_holds_the_prompt_and_the_whole_history() -> None:
    desk = _Desk(_read("a"), Say(text="done"), history=[user("before")])
    await desk.run("now")
    first, second = desk.model.requests
    assert first.messages[0].text.startswith("You are a test.")
    assert [message.text for message in first.messages[1:]] == ["before", "now"]
    assert second.messages[: len(first.messages)] == first.messages


@pytest.mark.req("FMT-01")
async def test_native_tools_are_offered_to_the_provider_and_xml_tools_in_the_prompt() -> None:
    native, xml = _Desk(Say(text="a")), _Desk(Say(text="a"), format_name="xml")
    await native.run()
    await xml.run()
    assert [spec.name for spec in native.model.requests[0].tools] == ["read_file", "finish"]
    assert xml.model.requests[0].tools == ()
    assert "read_file" in xml.model.requests[0].messages[0].text


@pytest.mark.req("FMT-01", "AGT-01")
async def test_a_call_in_xml_runs_and_its_result_comes_back_as_text() -> None:
    call = "I look.\n<read_file>\n<path>a.py</path>\n</read_file>"
    desk = _Desk(Say(text=call), Say(text="done"), format_name="xml")
    assert (await desk.run()).text == "done"
    assert desk.reader.calls == [{"path": "a.py"}]
    assert desk.told() == "[read_file for 'a.py'] Result:\nread a.py"


@pytest.mark.req("AGT-01")
async def test_an_answering_tool_ends_the_run() -> None:
    desk = _Desk(Say(calls=[("finish", {"result": "All done."})]))
    assert await desk.run() == RunResult("success", "All done.", "done")


@pytest.mark.req("AGT-04")
async def test_the_third_equal_call_in_a_row_is_not_run() -> None:
    desk = _Desk(_read("a"), _read("a"), _read("a"))
    result = await desk.run()
    assert result.stop_reason == "repeated_call"
    assert result.code is Code.LIMIT_EXCEEDED
    assert len(desk.reader.calls) == 2
    assert desk.roles()[-2:] == ["assistant", "tool"]


@pytest.mark.req("AGT-04")
async def test_other_calls_in_between_are_no_circle() -> None:
    desk = _Desk(_read("a"), _read("a"), _read("b"), _read("a"), Say(text="done"))
    assert (await desk.run()).status == "success"


@pytest.mark.req("AGT-04")
async def test_max_steps_ends_the_run_with_a_reason() -> None:
    desk = _Desk(_read("a"), _read("b"), limits=Limits(max_steps=2))
    result = await desk.run()
    assert result.stop_reason == "max_steps"
    assert "2 steps" in str(result.error)


@pytest.mark.req("AGT-04", "FMT-03")
async def test_arguments_that_are_no_json_are_told_and_nothing_runs() -> None:
    bad = Say(calls=[("read_file", '{"path": oops')])
    desk = _Desk(bad, _read("a"), Say(text="done"))
    assert (await desk.run()).status == "success"
    assert desk.reader.calls == [{"path": "a"}]
    (problem,) = desk.history.messages[2].results()
    assert problem.is_error


@pytest.mark.req("FMT-03")
async def test_three_malformed_calls_in_a_row_end_the_run() -> None:
    bad = Say(calls=[("read_file", '{"path": oops')])
    desk = _Desk(bad, bad, bad)
    result = await desk.run()
    assert result.stop_reason == "malformed_calls"
    assert not desk.reader.calls


@pytest.mark.req("FMT-03")
async def test_a_call_that_was_cut_off_is_told_and_not_run() -> None:
    cut = Say(calls=[("read_file", '{"path": "a')], finish="length")
    desk = _Desk(cut, Say(text="done"))
    await desk.run()
    assert not desk.reader.calls
    (problem,) = desk.history.messages[2].results()
    assert problem.is_error


@pytest.mark.req("FMT-03")
async def test_an_answer_that_was_cut_off_is_said_to_be_so() -> None:
    desk = _Desk(Say(text="half of an ans", finish="length"))
    result = await desk.run()
    assert (result.status, result.stop_reason) == ("error", "cut_off")
    assert "limit of length" in desk.warnings()[0]
    assert desk.history.messages[-1].text == "half of an ans"


@pytest.mark.req("FMT-03")
@pytest.mark.parametrize(
    "text",
    [
        "Hermes writes `<tool_call>` and Claude `<invoke name=...>`.",
        "An example:\n```\n<tool_call>{}</tool_call>\n```\nThat is all.",
    ],
)
async def test_an_answer_about_calls_is_no_call(text: str) -> None:
    desk = _Desk(Say(text=text))
    assert (await desk.run()).status == "success"


@pytest.mark.req("FMT-03")
async def test_a_reminder_is_given_once_and_then_the_words_are_believed() -> None:
    foreign = Say(text='[TOOL_CALL]\n{tool => "read_file"}\n[/TOOL_CALL]')
    desk = _Desk(foreign, foreign)
    assert (await desk.run()).status == "success"
    assert len(desk.model.requests) == 2


@pytest.mark.req("AGT-05")
async def test_calls_after_the_answer_are_told_as_not_run() -> None:
    calls = [("finish", {"result": "Done."}), ("read_file", {"path": "a"})]
    desk = _Desk(Say(calls=calls))
    assert (await desk.run()).text == "Done."
    told = {r.call_id: r.text for message in desk.history.messages for r in message.results()}
    assert "Not run" in told["call_1_read_file"]


@pytest.mark.req("FMT-03")
async def test_a_call_in_a_foreign_spelling_gets_a_reminder() -> None:
    desk = _Desk(Say(text='[TOOL_CALL]\n{tool => "read_file"}\n[/TOOL_CALL]'), Say(text="done"))
    assert (await desk.run()).status == "success"
    assert "cannot be read" in desk.told()


@pytest.mark.req("AGT-07")
async def test_an_empty_answer_is_asked_again_and_never_enters_the_history() -> None:
    desk = _Desk(Say(), Say(text="  \n"), Say(text="here"))
    assert (await desk.run()).text == "here"
    assert desk.roles() == ["user", "assistant"]
    assert len(desk.warnings()) == 2


@pytest.mark.req("AGT-07")
async def test_answers_that_stay_empty_are_an_error() -> None:
    with pytest.raises(ModelError, match="answered nothing"):
        await _Desk(Say(), Say(), Say()).run()


@pytest.mark.req("AGT-07")
async def test_a_busy_provider_is_asked_again_after_the_wait_that_it_names() -> None:
    busy = Say(error=ModelBusy("slow down", retry_after=7.0))
    desk = _Desk(busy, Say(error=ModelBusy("overloaded")), Say(text="done"))
    assert (await desk.run()).status == "success"
    assert desk.clock.slept == [7.0, 2.0]
    assert "Trying again in 7 s" in desk.warnings()[0]


@pytest.mark.req("AGT-07")
async def test_a_provider_that_stays_busy_ends_the_run_with_its_words_and_the_history() -> None:
    desk = _Desk(*(Say(error=ModelBusy("overloaded")) for _ in range(5)))
    with pytest.raises(ModelBusy, match="overloaded"):
        await desk.run()
    assert desk.clock.slept == [1.0, 2.0, 4.0, 8.0]
    assert desk.roles() == ["user"]


@pytest.mark.req("AGT-07")
async def test_an_answer_that_breaks_off_is_not_asked_for_twice() -> None:
    desk = _Desk(Say(text="half an", error=ModelBusy("reset")), Say(text="never"))
    with pytest.raises(ModelBusy, match="reset"):
        await desk.run()
    assert len(desk.model.requests) == 1


@pytest.mark.req("AGT-07")
async def test_other_errors_of_the_provider_end_the_run_at_once() -> None:
    desk = _Desk(Say(error=ContextOverflow("too long")), Say(text="never"))
    with pytest.raises(ContextOverflow, match="too long"):
        await desk.run()
    assert len(desk.model.requests) == 1


@pytest.mark.req("AGT-07")
async def test_a_silent_stream_ends_by_the_idle_timeout() -> None:
    desk = _Desk(Say(text="hm", hang=True), limits=Limits(idle_timeout=0.05))
    with pytest.raises(ModelStalled, match="HACKAMORE_IDLE_TIMEOUT"):
        await desk.run()


@pytest.mark.req("FMT-01")
async def test_a_model_that_takes_no_tools_is_asked_in_xml() -> None:
    desk = _Desk(Say(error=ToolsUnsupported("no tools")), Say(text="done"))
    assert (await desk.run()).status == "success"
    assert desk.model.requests[1].tools == ()
    assert "read_file" in desk.model.requests[1].messages[0].text


@pytest.mark.req("FMT-01")
async def test_auto_understands_a_call_in_text_and_goes_on_in_its_form() -> None:
    call = "<read_file>\n<path>a</path>\n</read_file>"
    desk = _Desk(_read("b"), Say(text=call), Say(text="done"), format_name="auto")
    assert (await desk.run()).text == "done"
    assert desk.reader.calls == [{"path": "b"}, {"path": "a"}]
    assert [bool(request.tools) for request in desk.model.requests] == [True, True, False]


@pytest.mark.req("AGT-02")
async def test_steps_are_bracketed_also_when_the_model_fails() -> None:
    desk = _Desk(_read("a"), Say(error=ModelError("refused")))
    with pytest.raises(ModelError):
        await desk.run()
    steps = [event for event in desk.events if isinstance(event, StepStarted | StepEnded)]
    assert steps == [StepStarted(1), StepEnded(1, 1), StepStarted(2), StepEnded(2, 0)]


@pytest.mark.req("AGT-02")
async def test_a_call_is_an_event_and_never_text() -> None:
    desk = _Desk(_read("a", "Looking."), Say(text="done"))
    await desk.run()
    assert any(isinstance(event, ToolStarted) for event in desk.events)
    assert [message.text for message in desk.history.messages if message.role == "assistant"] == [
        "Looking.",
        "done",
    ]


@pytest.mark.req("AGT-05")
async def test_after_a_cancel_the_history_can_go_on() -> None:
    desk = _Desk(_read("a"), Say(text="done"))
    started = asyncio.Event()

    async def hang(arguments: JSONObject) -> ToolOutput:
        started.set()
        await asyncio.Event().wait()
        return ToolOutput("never")

    desk.loop.actor.tools = {"read_file": FunctionTool("read_file", hang)}
    task = asyncio.create_task(desk.run())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    result = await desk.run("go on")
    assert result.text == "done"
    assert desk.roles() == ["user", "assistant", "tool", "user", "assistant"]
