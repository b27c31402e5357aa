"""The tools that steer the run: question, answer, plan."""

from typing import Any

import pytest

from hackamore.core.codes import Code
from hackamore.core.events import PlanItem, PlanUpdated

pytestmark = pytest.mark.anyio


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(
    ("options", "seen"),
    [
        (None, ()),
        (["a", "b"], ("a", "b")),
        ('["a", "b"]', ("a", "b")),
        ("not json", ()),
    ],
)
async def test_a_question_reaches_the_person(bench: Any, options: Any, seen: Any) -> None:
    tools = bench()
    tools.person.answer = "blue"
    output = await tools.call("ask_followup_question", question="Colour?", options=options)
    assert tools.person.asked == [("Colour?", seen)]
    assert output.text.startswith("blue")
    assert ("no JSON list" in output.text) == (options == "not json")


@pytest.mark.req("TOOL-01")
async def test_without_a_person_the_model_goes_on(bench: Any) -> None:
    output = await bench().call("ask_followup_question", question="Colour?")
    assert not output.is_error
    assert "best judgement" in output.text


@pytest.mark.req("TOOL-01")
async def test_the_answer_ends_the_run(bench: Any) -> None:
    output = await bench().call("attempt_completion", result="Done.", command="make run")
    assert output.answer == "Done.\n\nTo see it: make run"
    assert (await bench().call("attempt_completion", result="Done.")).answer == "Done."


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(
    "plan",
    [
        "- [x] read\n- [>] fix\n\n- [ ] test",
        "1. [x] read\n2. [~] fix\n3. test",
        [
            {"text": "read", "status": "completed"},
            {"step": "fix", "status": "in_progress"},
            "test",
        ],
        '[{"text": "read", "status": "done"}, {"text": "fix", "status": "in_progress"}, "test"]',
    ],
)
async def test_a_plan_is_shown(bench: Any, plan: Any) -> None:
    tools = bench()
    output = await tools.call("update_plan", plan=plan)
    items = (
        PlanItem("read", "completed"),
        PlanItem("fix", "in_progress"),
        PlanItem("test", "pending"),
    )
    assert tools.events == [PlanUpdated(items)]
    assert output.summary == "1 of 3 done"


@pytest.mark.req("TOOL-01")
async def test_an_empty_plan_is_refused(bench: Any) -> None:
    assert (await bench().call("update_plan", plan="\n")).code is Code.INVALID_REQUEST


@pytest.mark.req("TOOL-01")
async def test_only_the_steering_tools_are_control_tools(bench: Any) -> None:
    control = {name for name, tool in bench().tools.items() if tool.spec.control}
    assert control == {"ask_followup_question", "attempt_completion", "update_plan"}
