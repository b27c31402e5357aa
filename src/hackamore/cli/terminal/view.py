"""A run on the terminal: text as it streams, a line a tool call, diffs, and how it ended."""

from typing import Final

from rich.console import Console
from rich.status import Status
from rich.text import Text

from hackamore.cli.terminal.diff import diff_text
from hackamore.cli.terminal.markup import markup
from hackamore.cli.terminal.safe import visible
from hackamore.core.events import (
    ApprovalAsked,
    Event,
    FileChanged,
    PlanUpdated,
    RunEnded,
    RunResult,
    RunStarted,
    ServerChanged,
    ServerLogged,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolDraft,
    ToolEnded,
    ToolProgress,
    ToolStarted,
    Warned,
)

_MARKS: Final = {"success": "[green]✓[/]", "error": "[red]✗[/]"}
_PLAN_MARKS: Final = {"pending": "○", "in_progress": "◐", "completed": "●"}
_SHOWN_PARAMETERS: Final = frozenset({"content", "diff"})
_TAIL_LINES: Final = 12


class TerminalView:
    """Shows events. Text flows; everything else begins on a line of its own."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status: Status | None = None
        self._flowing = ""
        self._output: dict[str, str] = {}
        self._answered = False

    def show(self, event: Event) -> None:  # noqa: C901, PLR0912  # one case an event
        """Show one event."""
        match event:
            case RunStarted():
                self._started(event)
            case StepStarted():
                self._answered = False
                self._wait("thinking")
            case ThinkingDelta():
                self._flow("thinking", event.text, "dim italic")
            case TextDelta():
                self._answered = True
                self._flow("text", event.text, "")
            case ToolDraft():
                self._draft(event)
            case ToolStarted():
                self._line(f"[cyan]▸[/] {markup(event.title)}")
                self._wait(event.title)
            case ToolProgress():
                self._output[event.call_id] = self._output.get(event.call_id, "") + event.text
            case ToolEnded():
                self._ended(event)
            case FileChanged():
                self._line("")
                self._console.print(diff_text(event.change), soft_wrap=True)
            case PlanUpdated():
                for item in event.items:
                    self._line(f"  {_PLAN_MARKS[item.status]} {markup(item.text)}")
            case Warned():
                self._line(f"[yellow]![/] {markup(event.message)}")
            case ServerChanged():
                self._server(event)
            case ServerLogged():
                self._line(f"[dim]{markup(event.server)}: {markup(event.text)}[/]")
            case RunEnded():
                self._finished(event.result)
            case ApprovalAsked():
                self.pause()
            case _:
                pass

    def pause(self) -> None:
        """Stop the spinner and end the line, so that somebody else may write."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        if self._flowing:
            self._console.print()
            self._flowing = ""

    def _wait(self, what: str) -> None:
        """Show that something is going on, where there is a terminal to show it."""
        self.pause()
        if self._console.is_terminal:
            self._status = self._console.status(f"[dim]{markup(what)}…[/]")
            self._status.start()

    def _line(self, words: str) -> None:
        self.pause()
        self._console.print(words, highlight=False, soft_wrap=True)

    def _flow(self, kind: str, text: str, style: str) -> None:
        if self._flowing != kind:
            self.pause()
            text = text.lstrip("\n")
        if not text:
            return
        self._flowing = kind
        self._console.print(
            Text(visible(text), style=style), end="", soft_wrap=True, highlight=False
        )

    def _started(self, event: RunStarted) -> None:
        facts = f"{markup(event.model)} · {markup(event.mode)} · sandbox {event.sandbox}"
        self._line(f"[bold]{facts}[/]")
        if event.note:
            self._line(f"[dim]{markup(event.note)}[/]")
        if event.sandbox == "none":
            self._line("[red]! The sandbox is off: tools have all the rights that you have.[/]")
        self._wait("thinking")

    def _draft(self, event: ToolDraft) -> None:
        """Show a long value as the model writes it."""
        if event.parameter in _SHOWN_PARAMETERS:
            self._flow(f"{event.call_id}/{event.parameter}", event.text, "dim")

    def _ended(self, event: ToolEnded) -> None:
        shown = self._output.pop(event.call_id, "").splitlines()
        for line in shown[-_TAIL_LINES:]:
            self._line(f"    [dim]{markup(line)}[/]")
        mark = _MARKS.get(event.status, f"[yellow]{event.status}[/]")
        self._line(f"  {mark} {markup(event.summary)} [dim]({_duration(event.duration_ms)})[/]")
        self._wait("thinking")

    def _server(self, event: ServerChanged) -> None:
        """Tell what a person may want to act on; coming and going is not."""
        if event.state in ("backoff", "failed", "auth_required"):
            words = f"MCP server {event.server}: {event.state}"
            detail = f": {event.detail}" if event.detail else ""
            self._line(f"[yellow]![/] {markup(words + detail)}")

    def _finished(self, result: RunResult) -> None:
        self.pause()
        if result.text and not self._answered:
            self._line(markup(result.text))
        if result.error:
            self._line(f"[red]✗ {markup(result.error)}[/]")
        for change in result.changes:
            self._line(f"[dim]{change.kind}[/] {markup(change.path)}")
        if result.input_tokens:
            self._line(f"[dim]{result.input_tokens} tokens read, {result.output_tokens} written[/]")


def _duration(milliseconds: float) -> str:
    seconds = milliseconds / 1000
    return f"{milliseconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
