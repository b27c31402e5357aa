"""The recipe for tests: proved tests in a new file, or files as they were."""

import asyncio
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from hackamore.agent.recipes import generate_tests
from hackamore.core.codes import Code
from hackamore.core.events import PlanUpdated, RunResult, TextDelta, ToolDraft
from hackamore.core.generator import TextGenerator
from hackamore.core.json import JSONObject
from hackamore.core.project import Language, ProjectContext
from hackamore.core.tools import ToolOutput
from hackamore.testing.fake_clock import FakeClock
from hackamore.testing.folder_hands import FolderHands
from hackamore.testing.scripted_generator import ScriptedGenerator

pytestmark = [pytest.mark.anyio, pytest.mark.req("AGT-16")]

_PYTHON = f"env PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 {sys.executable}"
_Contents = Callable[[], Mapping[str, bytes]]
_CODE = '''"""Prices."""


def total(items):
    """Add up."""
    return sum(price * quantity for price, quantity in items)


def half(amount):
    if amount < 0:
        raise ValueError("no debts")
    return amount // 2
'''
_TOTAL = "half_and_total():\n    assert total([(3, 4), (5, 1)]) == 17\n\n\n"
_HALF = "def test_halves():\n    assert half(9) == 4\n    assert half(0) == 0\n\n\n"
_DEBTS = "def test_debts():\n    with pytest.raises(ValueError):\n        half(-1)\n\n\n"
_WRONG = "def test_wrong():\n    assert half(9) == 5\n\n\n"
_BLIND = "type():\n    assert isinstance(total([]), int)\n"


@pytest.fixture(autouse=True)
def right(root: Path) -> None:
    (root / "shop" / "prices.py").write_text(_CODE, "utf-8")


async def _run(
    hands: FolderHands, generator: TextGenerator, request: str = "shop/prices.py"
) -> RunResult:
    language = Language("Python", "", (), None, (), interpreter=_PYTHON)
    return await generate_tests(hands, generator, ProjectContext((language,)), request, FakeClock())


async def test_tests_that_notice_broken_code_are_kept(
    hands: FolderHands, contents: _Contents
) -> None:
    before = contents()
    result = await _run(hands, ScriptedGenerator([_TOTAL + _HALF + _DEBTS]))
    assert (result.status, result.stop_reason) == ("success", "done")
    path = "tests/test_prices_generated.py"
    assert result.changes[0].path == path
    assert result.changes[0].kind == "created"
    assert result.structured == {"path": path, "tests": 3, "broken": 7, "noticed": 7}
    written = (hands.root / path).read_text("utf-8")
    assert written == (
        "import pytest\nfrom shop.prices import half, total\n\n\n"
        f"def test_{_TOTAL}{_HALF}{_DEBTS}".rstrip()
        + "\n"
    )
    assert {**before, path: written.encode()} == contents()


async def test_everything_is_done_by_calls_and_shown(hands: FolderHands) -> None:
    result = await _run(hands, ScriptedGenerator([_TOTAL + _HALF]))
    assert hands.count("write_to_file") == 1
    drafts = "".join(event.text for event in hands.events if isinstance(event, ToolDraft))
    assert drafts == _TOTAL + _HALF
    plans = [event for event in hands.events if isinstance(event, PlanUpdated)]
    assert {item.status for item in plans[-1].items} == {"completed"}
    assert hands.events[-1] == TextDelta(result.text)


async def test_a_test_that_fails_on_the_right_code_is_dropped(hands: FolderHands) -> None:
    result = await _run(hands, ScriptedGenerator([_TOTAL + _WRONG + _HALF]))
    assert result.status == "success"
    text = str(result.changes[0].after)
    assert "test_wrong" not in text
    assert "test_halves" in text


async def test_an_answer_that_was_cut_off_is_used_up_to_its_last_statement(
    hands: FolderHands,
) -> None:
    result = await _run(
        hands, ScriptedGenerator([f"{_TOTAL}{_HALF}def test_more():\n    assert half("])
    )
    assert result.status == "success"


async def test_a_line_that_may_be_cut_off_is_not_taken(hands: FolderHands) -> None:
    answer = f"{_TOTAL}{_HALF}def test_more():\n    assert half(2) == 1\n    assert half("
    long = ScriptedGenerator([answer + "3)" + " == 1" * 300])
    result = await _run(hands, long)
    assert str(result.changes[0].after).endswith("assert half(2) == 1\n")


async def test_good_tests_of_an_earlier_candidate_are_joined_by_those_of_a_branch(
    hands: FolderHands,
) -> None:
    generator = ScriptedGenerator(
        [_TOTAL + _WRONG], branches=["wrong():\n    assert half(9) == 5\n\n\n" + _HALF]
    )
    result = await _run(hands, generator)
    assert result.status == "success"
    assert "test_half_and_total" in str(result.changes[0].after)
    assert "test_halves" in str(result.changes[0].after)


async def test_tests_that_notice_nothing_leave_the_files_as_they_were(
    hands: FolderHands, contents: _Contents
) -> None:
    before = contents()
    result = await _run(hands, ScriptedGenerator([_BLIND]))
    assert (result.status, result.stop_reason) == ("error", "not_written")
    assert result.code is Code.LIMIT_EXCEEDED
    assert contents() == before
    assert hands.count("write_to_file") == 0


async def test_tests_that_leave_files_behind_are_not_taken(
    hands: FolderHands, contents: _Contents
) -> None:
    before = contents()
    litter = 'total():\n    open("left", "w").close()\n    assert total([(3, 4)]) == 12\n\n\n'
    result = await _run(hands, ScriptedGenerator([litter + _HALF]))
    assert result.stop_reason == "not_written"
    assert contents() == before


async def test_cancelling_in_the_midst_of_broken_versions_leaves_nothing(
    root: Path, contents: _Contents
) -> None:
    testing = asyncio.Event()

    class Watched(FolderHands):
        async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
            if "7 broken versions" in str(arguments.get("command")):
                testing.set()
                await asyncio.Event().wait()
            return await super().call(tool, arguments)

    before = contents()
    run = asyncio.create_task(_run(Watched(root), ScriptedGenerator([_TOTAL + _HALF])))
    await testing.wait()
    assert contents() == before
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert contents() == before


async def test_cancelling_while_the_kept_file_is_tried_removes_it(
    root: Path, contents: _Contents
) -> None:
    kept = asyncio.Event()

    class Hanging(FolderHands):
        async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
            if tool == "execute_command" and self.count("write_to_file") and not kept.is_set():
                kept.set()
                await asyncio.Event().wait()
            return await super().call(tool, arguments)

    before = contents()
    run = asyncio.create_task(_run(Hanging(root), ScriptedGenerator([_TOTAL + _HALF])))
    await kept.wait()
    assert contents() != before
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert contents() == before


async def test_a_file_that_does_not_pass_in_its_place_is_removed(
    hands: FolderHands, contents: _Contents
) -> None:
    (hands.root / "tests" / "conftest.py").write_text(
        "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef no():\n    raise OSError\n", "utf-8"
    )
    before = contents()
    result = await _run(hands, ScriptedGenerator([_TOTAL + _HALF]))
    assert result.stop_reason == "not_written"
    assert "removed" in (result.error or "")
    assert contents() == before


async def test_a_denied_write_ends_the_run_and_says_so(root: Path, contents: _Contents) -> None:
    before = contents()
    hands = FolderHands(root, deny={"write_to_file"})
    result = await _run(hands, ScriptedGenerator([_TOTAL + _HALF]))
    assert (result.status, result.stop_reason) == ("error", "denied")
    assert contents() == before


async def test_after_eighty_seconds_it_gives_up(root: Path, contents: _Contents) -> None:
    class Slow(FolderHands):
        def emit(self, event: object) -> None:
            if isinstance(event, ToolDraft):
                clock.seconds += 30.0

    class Clock(FakeClock):
        seconds = 0.0

        def monotonic(self) -> float:
            return self.seconds

    clock, before = Clock(), contents()
    language = Language("Python", "", (), None, (), interpreter=_PYTHON)
    context = ProjectContext((language,))
    generator = ScriptedGenerator([_BLIND], branches=[_BLIND] * 3)
    result = await generate_tests(Slow(root), generator, context, "shop/prices.py", clock)
    assert result.stop_reason == "not_written"
    assert "80 seconds" in (result.error or "")
    assert generator.closed >= 1
    assert contents() == before


@pytest.mark.parametrize("request_", ["write tests for half", ""])
async def test_the_file_is_found_by_what_it_defines_or_since_no_test_imports_it(
    hands: FolderHands, request_: str
) -> None:
    (hands.root / "tests" / "test_prices.py").unlink()
    result = await _run(hands, ScriptedGenerator([_TOTAL + _HALF]), request_)
    assert result.status == "success"
    assert "shop/prices.py" in result.text


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("README.md", "Python code only"),
        ("write tests for the frobnicator", "fits the request"),
        ("", "fits the request"),
        ("shop/empty.py", "nothing that a test could"),
        ("shop/lost.py", "cannot be run"),
    ],
)
async def test_what_cannot_be_tested_is_said_before_anything_is_written(
    hands: FolderHands, request_: str, words: str
) -> None:
    (hands.root / "shop" / "empty.py").write_text('"""Nothing."""\n', "utf-8")
    (hands.root / "shop" / "lost.py").write_text("import nowhere\n\nx = 1 + 2\n", "utf-8")
    (hands.root / "tests" / "test_more.py").write_text(
        "from shop import empty\nfrom shop import lost\nfrom shop import prices\n", "utf-8"
    )
    result = await _run(hands, ScriptedGenerator(), request_)
    assert (result.status, result.code) == ("error", Code.NOT_FOUND)
    assert words in (result.error or "")


async def test_a_file_too_long_for_the_model_is_said_to_be(hands: FolderHands) -> None:
    result = await _run(hands, ScriptedGenerator(context=300))
    assert result.code is Code.CONTEXT_OVERFLOW
