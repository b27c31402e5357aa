"""What a person sees of a run."""

import io

import pytest
from rich.console import Console

from hackamore.cli.terminal.safe import visible
from hackamore.cli.terminal.view import TerminalView
from hackamore.core.changes import FileChange
from hackamore.core.events import (
    Event,
    FileChanged,
    PlanItem,
    PlanUpdated,
    RunEnded,
    RunResult,
    RunStarted,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolDraft,
    ToolEnded,
    ToolProgress,
    ToolStarted,
    Warned,
)


def _seen(*events: Event, width: int = 80) -> str:
    file = io.StringIO()
    view = TerminalView(Console(file=file, width=width, force_terminal=False))
    for event in events:
        view.show(event)
    return file.getvalue()


@pytest.mark.req("UX-02", "AGT-02")
def test_a_run_is_told_line_by_line() -> None:
    seen = _seen(
        RunStarted("go", "openai:x", "act", "full", "Taken because you said so."),
        StepStarted(1),
        ThinkingDelta("Hm."),
        TextDelta("Let me "),
        TextDelta("look."),
        ToolStarted("c1", "run", "execute_command ls", {}),
        ToolProgress("c1", "run", "a.py\nb.py\n"),
        ToolEnded("c1", "run", "success", "…", "exit code 0", 1234.0),
        FileChanged("c1", FileChange("a", "1\n", "2\n")),
        PlanUpdated((PlanItem("one", "completed"), PlanItem("two", "pending"))),
        Warned("Careful."),
        RunEnded(RunResult("success", "Let me look.", "done", input_tokens=9)),
    )
    lines = [line.strip() for line in seen.splitlines() if line.strip()]
    assert lines[:2] == ["openai:x · act · sandbox full", "Taken because you said so."]
    for wanted in (
        "Hm.",
        "Let me look.",
        "▸ execute_command ls",
        "b.py",
        "✓ exit code 0 (1.2 s)",
        "+2",
        "● one",
        "○ two",
        "! Careful.",
        "9 tokens read, 0 written",
    ):
        assert wanted in lines
    assert lines.count("Let me look.") == 1


@pytest.mark.req("UX-02")
def test_an_answer_that_was_not_streamed_is_shown_at_the_end() -> None:
    assert "All done." in _seen(RunEnded(RunResult("success", "All done.", "done")))


@pytest.mark.req("UX-06")
def test_an_error_is_shown_and_markup_in_it_is_text() -> None:
    assert "[red] no" in _seen(RunEnded(RunResult("error", "", "error", error="[red] no")))


@pytest.mark.req("SBX-04")
def test_a_sandbox_that_is_off_is_said_loudly() -> None:
    assert "The sandbox is off" in _seen(RunStarted("go", "m", "act", "none"))


@pytest.mark.req("TOOL-03")
@pytest.mark.parametrize(
    "event",
    [
        TextDelta("a\x1b[2Jb"),
        ThinkingDelta("\x1b]0;title\x07"),
        Warned("\x1b[1A\x1b[2K"),
        ToolStarted("c", "t", "run \x1b[31mred\u202e", {}),
        ToolEnded("c", "t", "success", "", "\x9b2J", 1.0),
        FileChanged("c", FileChange("a\x1b[2J", "", "\x1b[2J\r\x08\n")),
        ToolDraft("c", "write_to_file", "content", "\x1b[2J"),
        RunEnded(RunResult("error", "\x1b[2J", "x", error="\x1b[2J")),
    ],
)
def test_nothing_from_outside_steers_the_terminal(event: Event) -> None:
    seen = _seen(event)
    assert seen.strip()
    assert not set("\x1b\x9b\x07\x08\r\u202e") & set(seen)


@pytest.mark.req("TOOL-03")
def test_steering_characters_become_pictures_and_all_else_stays() -> None:
    assert visible("a\tb\r\nc\x1b\x7f\u202e 文") == "a\tb\nc\u241b\u2421<U+202E> 文"


@pytest.mark.req("MCP-15")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb\u200dc\ufeff", "a<U+200B>b<U+200D>c<U+FEFF>"),
        ("x\U000e0041\U000e007f", "x<U+E0041><U+E007F>"),
        ("one\u2028two\u2029", "one<U+2028>two<U+2029>"),
        ("\ud800", "<U+D800>"),
        ("👩\u200d👧 می\u200cکنم ❤\ufe0f", "👩\u200d👧 می\u200cکنم ❤\ufe0f"),
    ],
)
def test_what_shows_as_nothing_is_shown_on_a_terminal(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.req("UX-02")
def test_an_answer_by_a_tool_is_shown_whole_also_after_earlier_words() -> None:
    seen = _seen(
        StepStarted(1),
        TextDelta("I look."),
        StepStarted(2),
        RunEnded(RunResult("success", "First line.\nSecond line.", "done")),
    )
    assert "Second line." in seen
