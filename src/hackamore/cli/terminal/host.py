"""The person at the terminal: asked for approvals and answers."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from rich.console import Console

from hackamore.cli.terminal.browser import open_page
from hackamore.cli.terminal.diff import diff_text
from hackamore.cli.terminal.form import OpenPage, elicit
from hackamore.cli.terminal.keyboard import read_line
from hackamore.cli.terminal.markup import markup
from hackamore.cli.terminal.safe import visible
from hackamore.cli.terminal.view import TerminalView
from hackamore.core.approval import (
    ALLOW_ALWAYS,
    ALLOW_ONCE,
    REJECT_ONCE,
    ApprovalRequest,
    Decision,
)
from hackamore.core.elicitation import NOBODY, ElicitationAnswer, ElicitationRequest

_YES: Final = frozenset({"y", "yes"})
_ALWAYS: Final = frozenset({"a", "always"})
_NO: Final = frozenset({"", "n", "no"})


class TerminalHost:
    """Asks one question at a time; anything but yes or no is told to the model as a no."""

    def __init__(
        self, console: Console, view: TerminalView, open_page: OpenPage = open_page
    ) -> None:
        self._console = console
        self._view = view
        self._open_page = open_page
        self._turn = asyncio.Lock()
        self._caught_up: Callable[[], Awaitable[None]] | None = None

    def follow(self, caught_up: Callable[[], Awaitable[None]]) -> None:
        """Ask only after `caught_up`: when everything before the question has been shown."""
        self._caught_up = caught_up

    async def _when_shown(self) -> None:
        if self._caught_up is not None:
            await self._caught_up()
        self._view.pause()

    async def approve(self, request: ApprovalRequest) -> Decision:
        """Show what would happen and wait for the answer."""
        async with self._turn:
            await self._when_shown()
            self._console.print(f"[bold]{markup(_question(request))}[/]", highlight=False)
            for line in (request.command or "").split("\n") if request.command else ():
                self._console.print(f"  [bold]$[/] {markup(line)}", highlight=False, soft_wrap=True)
            for change in request.changes:
                self._console.print(diff_text(change, longest=None), soft_wrap=True)
            self._console.print(f"[dim]{markup(request.reason)}[/]", highlight=False)
            answer = await read_line("Allow? [y]es, [a]lways this, [n]o, or say why not: ")
        return _decision(answer)

    async def ask(self, question: str, options: tuple[str, ...]) -> str | None:
        """Show the question and wait for the answer; a number chooses an option."""
        async with self._turn:
            await self._when_shown()
            self._console.print(markup(question), highlight=False)
            for number, option in enumerate(options, start=1):
                self._console.print(f"  {number}. {markup(option)}", highlight=False)
            answer = await read_line("> ")
        if answer and answer.isdigit() and 0 < int(answer) <= len(options):
            return options[int(answer) - 1]
        return answer

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        """Ask for the values of a form one by one, or whether to open a page."""
        async with self._turn:
            await self._when_shown()
            return await elicit(request, self._say, _ask_safely, self._open_page)

    def _say(self, words: str) -> None:
        self._console.print(markup(words), highlight=False, soft_wrap=True)


class AbsentHost:
    """Nobody is there: asking means no."""

    async def approve(self, request: ApprovalRequest) -> Decision:
        """Say no, and why."""
        return Decision("reject_once", "Nobody is there to be asked. (--approve says what may run)")

    async def ask(self, question: str, options: tuple[str, ...]) -> str | None:
        """Give no answer."""
        return None

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        """Give no answer."""
        return NOBODY


async def _ask_safely(question: str) -> str | None:
    return await read_line(visible(question))


def _question(request: ApprovalRequest) -> str:
    """Return what is asked about: the tool alone where a command or a diff shows the rest."""
    return request.tool if request.command or request.changes else request.title


def _decision(answer: str | None) -> Decision:
    if answer is None:
        return REJECT_ONCE
    word = answer.strip().lower()
    if word in _YES:
        return ALLOW_ONCE
    if word in _ALWAYS:
        return ALLOW_ALWAYS
    return REJECT_ONCE if word in _NO else Decision("reject_once", answer.strip())
