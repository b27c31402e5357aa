"""The fix recipe: green tests, or files as they were."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hackamore.agent.recipes import fix
from hackamore.core.codes import Code
from hackamore.core.events import PlanUpdated, TextDelta, ToolDraft
from hackamore.core.json import JSONObject
from hackamore.core.project import Language, ProjectContext
from hackamore.core.tools import ToolOutput
from hackamore.testing.fake_clock import FakeClock
from hackamore.testing.folder_hands import FolderHands
from hackamore.testing.scripted_generator import ScriptedGenerator

pytestmark = [pytest.mark.anyio, pytest.mark.req("AGT-16")]

_Contents = Callable[[], Mapping[str, bytes]]


def _answer(sign: str) -> str:
    return (
        '"""Prices."""\n\n\ndef total(items):\n    """Add up."""\n'
        f"    return sum(price {sign} quantity for price, quantity in items)\n\n\n"
        "def half(amount):\n    return amount // 2"
    )


async def test_the_first_candidate_may_be_right(hands: FolderHands, root: Path) -> None:
    project = ProjectContext((Language("Python", "", (), "python -m pytest", ()),))
    generator = ScriptedGenerator([_answer("*")])
    result = await fix(hands, generator, project, "", FakeClock())
    assert (result.status, result.stop_reason) == ("success", "done")
    assert [change.path for change in result.changes] == ["shop/prices.py"]
    assert "price * quantity" in (root / "shop/prices.py").read_text("utf-8")
    assert result.output_tokens > 0


async def test_everything_is_done_by_calls_and_shown(
    hands: FolderHands, project: ProjectContext
) -> None:
    result = await fix(hands, ScriptedGenerator([_answer("*")]), project, "", FakeClock())
    assert [tool for tool, _arguments in hands.calls][:3] == [
        "execute_command",
        "list_files",
        "read_file",
    ]
    drafts = [event.text for event in hands.events if isinstance(event, ToolDraft)]
    assert "".join(drafts) == _answer("*")
    plans = [event for event in hands.events if isinstance(event, PlanUpdated)]
    assert {item.status for item in plans[-1].items} == {"completed"}
    assert hands.events[-1] == TextDelta(result.text)


async def test_a_wrong_candidate_is_taken_back_and_a_branch_is_tried_where_it_was_unsure(
    hands: FolderHands, project: ProjectContext
) -> None:
    generator = ScriptedGenerator([_answer("-")], branches=[_answer("*")], unsure={"-": 0.1})
    result = await fix(hands, generator, project, "", FakeClock())
    assert result.status == "success"
    written = [str(arguments["content"]) for tool, arguments in hands.calls if tool[:5] == "write"]
    assert ["-" in text for text in written] == [True, False]
    assert hands.count("restore_file") == 1


async def test_without_a_right_candidate_the_files_are_as_they_were(
    hands: FolderHands, project: ProjectContext, contents: _Contents
) -> None:
    before = contents()
    wrong = [_answer(sign) for sign in ("-", "//", "%")]
    result = await fix(
        hands, ScriptedGenerator(wrong[:1] * 3, branches=wrong[1:]), project, "", FakeClock()
    )
    assert (result.status, result.stop_reason) == ("error", "not_fixed")
    assert "as they were" in (result.error or "")
    assert contents() == before


async def test_nothing_is_written_when_the_candidates_are_not_worth_a_run(
    hands: FolderHands, project: ProjectContext
) -> None:
    answers = [_answer("+"), "def total(:", "def total(items): return 599"]
    generator = ScriptedGenerator(answers)
    result = await fix(hands, generator, project, "", FakeClock())
    assert result.stop_reason == "not_fixed"
    assert hands.count("write_to_file") == 0


async def test_the_time_limit_ends_the_writing(
    hands: FolderHands, project: ProjectContext, contents: _Contents
) -> None:
    class Clock(FakeClock):
        seconds = 0.0

        def monotonic(self) -> float:
            return self.seconds

    class SlowHands(FolderHands):
        def emit(self, event: object) -> None:
            if isinstance(event, ToolDraft):
                clock.seconds += 7.0

    clock, before = Clock(), contents()
    generator = ScriptedGenerator([_answer("*")])
    result = await fix(SlowHands(hands.root), generator, project, "", clock)
    assert result.stop_reason == "not_fixed"
    assert "80 seconds" in (result.error or "")
    assert generator.closed == 1
    assert contents() == before


async def test_a_denied_write_ends_the_run_and_says_so(
    root: Path, project: ProjectContext, contents: _Contents
) -> None:
    before = contents()
    hands = FolderHands(root, deny={"write_to_file"})
    result = await fix(hands, ScriptedGenerator([_answer("*")]), project, "", FakeClock())
    assert (result.status, result.stop_reason) == ("error", "denied")
    assert result.code is Code.APPROVAL_REJECTED
    assert contents() == before


async def test_a_denied_test_run_after_the_write_puts_the_file_back(
    root: Path, project: ProjectContext, contents: _Contents
) -> None:
    class OneRun(FolderHands):
        async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
            if tool == "execute_command" and self.count(tool):
                self._deny = {"execute_command"}
            return await super().call(tool, arguments)

    before = contents()
    hands = OneRun(root)
    result = await fix(hands, ScriptedGenerator([_answer("*")]), project, "", FakeClock())
    assert result.stop_reason == "denied"
    assert hands.count("restore_file") == 1
    assert contents() == before


async def test_a_file_that_may_not_be_put_back_is_named(
    root: Path, project: ProjectContext
) -> None:
    class OneWrite(FolderHands):
        async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
            if tool == "restore_file":
                self._deny = {tool}
            return await super().call(tool, arguments)

    result = await fix(OneWrite(root), ScriptedGenerator([_answer("-")]), project, "", FakeClock())
    assert result.stop_reason == "denied"
    assert "shop/prices.py still holds a candidate" in (result.error or "")


async def test_cancelling_while_a_candidate_is_tested_puts_the_file_back(
    root: Path, project: ProjectContext, contents: _Contents
) -> None:
    testing = asyncio.Event()

    class Hanging(FolderHands):
        async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
            if tool == "execute_command" and self.count("write_to_file"):
                testing.set()
                await asyncio.Event().wait()
            return await super().call(tool, arguments)

    before = contents()
    run = asyncio.create_task(
        fix(Hanging(root), ScriptedGenerator([_answer("*")]), project, "", FakeClock())
    )
    await testing.wait()
    assert contents() != before
    run.cancel()
    await asyncio.sleep(0)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert contents() == before


async def test_what_somebody_else_changed_meanwhile_is_left_alone(
    root: Path, project: ProjectContext
) -> None:
    class Busy(FolderHands):
        async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
            if tool == "execute_command" and self.count("write_to_file"):
                (root / "shop/prices.py").write_text("mine = 1\n", "utf-8")
            return await super().call(tool, arguments)

    result = await fix(Busy(root), ScriptedGenerator([_answer("-")]), project, "", FakeClock())
    assert result.code is Code.STALE_SNAPSHOT
    assert (root / "shop/prices.py").read_text("utf-8") == "mine = 1\n"


async def test_passing_tests_need_no_model(
    hands: FolderHands, project: ProjectContext, root: Path
) -> None:
    (root / "shop/prices.py").write_text(_answer("*") + "\n", "utf-8")
    result = await fix(hands, ScriptedGenerator(), project, "", FakeClock())
    assert result.status == "success"
    assert "nothing to fix" in result.text


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (None, "No test command"),
        ("no-such-program -q", "cannot be run"),
        ("python -m pytest shop", "no tests"),
    ],
)
async def test_without_tests_nothing_is_promised(
    hands: FolderHands, command: str | None, words: str
) -> None:
    project = ProjectContext((Language("Python", "", (), command, ()),))
    result = await fix(hands, ScriptedGenerator(), project, "", FakeClock())
    assert result.status == "error"
    assert result.code is Code.NOT_FOUND
    assert words in (result.error or "")


async def test_a_file_too_long_for_the_model_is_said_to_be(
    hands: FolderHands, project: ProjectContext
) -> None:
    generator = ScriptedGenerator(context=300)
    result = await fix(hands, generator, project, "", FakeClock())
    assert result.code is Code.CONTEXT_OVERFLOW
    assert "too long" in (result.error or "")


async def test_a_script_of_node_is_fixed_by_its_own_tests(root: Path) -> None:
    for path in ("shop/prices.py", "shop/__init__.py", "tests/test_prices.py"):
        (root / path).unlink()
    (root / "add.js").write_text("exports.add = (a, b) => a - b;\n", "utf-8")
    (root / "add.test.js").write_text(
        'const { test } = require("node:test");\nconst assert = require("node:assert");\n'
        'const { add } = require("./add.js");\n'
        'test("adds", () => assert.equal(add(1, 2), 3));\n',
        "utf-8",
    )
    project = ProjectContext((Language("JavaScript", "", (), "node --test add.test.js", ()),))
    generator = ScriptedGenerator(["exports.add = (a, b) => a + b;"])
    result = await fix(FolderHands(root), generator, project, "", FakeClock())
    assert result.status == "success"
    assert (root / "add.js").read_text("utf-8") == "exports.add = (a, b) => a + b;\n"
