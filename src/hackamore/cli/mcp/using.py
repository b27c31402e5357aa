"""What the actions with live servers share: the person, the signals, errors, and printing."""

import asyncio
import json
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from rich.console import Console

from hackamore.cli.interrupt import interruptible
from hackamore.cli.mcp.flags import place_of
from hackamore.cli.terminal.host import TerminalHost
from hackamore.cli.terminal.safe import visible
from hackamore.cli.terminal.view import TerminalView
from hackamore.compose.mcp_use import Outside, Place
from hackamore.core.codes import EXIT_CANCELLED, EXIT_FAILED, HTTP_PREFIX, exit_status
from hackamore.core.errors import HackamoreError
from hackamore.core.events import Event, ServerLogged, ToolProgress
from hackamore.core.host import Nobody
from hackamore.core.json import JSON, JSONObject
from hackamore.mcp.entry import EntryProblem
from hackamore.mcp.servers import Servers

_SLOW: Final = 1.0

Work: TypeAlias = Callable[[Place, Outside], Awaitable[int]]
"""What an action does; gives the exit status."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an action prints: for people, or as one JSON object."""

    as_json: bool

    def show(self, found: JSONObject, lines: Sequence[str], nothing: str = "") -> None:
        """Print `found` for programs, or `lines` for people; `nothing` where there are none."""
        if self.as_json:
            print_json(found)
        elif lines:
            print(visible("\n".join(lines)))
        elif nothing:
            say(nothing)


def perform(parsed: Namespace, work: Work) -> int:
    """Do an action, and turn its end into an exit status."""
    return prepare_and_perform(parsed, lambda: work)


def prepare_and_perform(parsed: Namespace, prepare: Callable[[], Work]) -> int:
    """Do an action that has to read its input first, which Ctrl-C must be able to end."""
    try:
        return asyncio.run(_perform(parsed, prepare()))
    except asyncio.CancelledError:
        return EXIT_CANCELLED
    except HackamoreError as error:
        if not parsed.json:
            raise
        code = f"{HTTP_PREFIX}{error.code.value}"
        print_json({"error": error.message, "hint": error.hint, "error_code": code})
        return exit_status(error.code)


async def _perform(parsed: Namespace, work: Work) -> int:
    with interruptible():
        return await work(place_of(parsed), _outside())


def _outside() -> Outside:
    """Return the person at the terminal, if there is one."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return Outside(Nobody(), present=False, tell=_tell)
    console = Console(stderr=True, highlight=False, emoji=False)
    return Outside(TerminalHost(console, TerminalView(console)), present=True, tell=_tell)


def _tell(event: Event) -> None:
    """Show what servers say of their work."""
    match event:
        case ServerLogged(server=server, level=level, text=text):
            say(f"{server}: {text}" if level == "info" else f"{server}: {level}: {text}")
        case ToolProgress(text=text):
            say(text.rstrip("\n"))
        case _:
            pass


def say(words: str) -> None:
    """Print something beside the result, to stderr."""
    print(visible(words), file=sys.stderr, flush=True)


def say_problems(problems: Iterable[EntryProblem]) -> None:
    """Tell what is wrong in the configuration."""
    for problem in problems:
        say(f"{'note' if problem.warning else 'problem'}: {problem}")


def print_json(found: JSON) -> None:
    """Print JSON; at a terminal without anything that could steer it."""
    print(json.dumps(found, indent=2, ensure_ascii=sys.stdout.isatty()))


@contextmanager
def told_when_slow(words: str) -> Generator[None, None, None]:
    """Say `words` when the block takes longer than a second."""
    with _after_a_second(lambda: say(words)):
        yield


@contextmanager
def connecting(servers: Servers) -> Generator[None, None, None]:
    """Say which servers are being waited for when the block takes longer than a second."""

    def tell() -> None:
        waiting = [
            name for name, status in servers.status().items() if status.state == "connecting"
        ]
        say(f"Connecting to {', '.join(waiting)} …")

    with _after_a_second(tell):
        yield


@contextmanager
def _after_a_second(tell: Callable[[], None]) -> Generator[None, None, None]:
    timer = asyncio.get_running_loop().call_later(_SLOW, tell)
    try:
        yield
    finally:
        timer.cancel()


def failures(servers: Servers) -> list[str]:
    """Return the reasons why servers are not to be had."""
    return [
        status.error or f"The MCP server {name!r}: {status.state}."
        for name, status in servers.status().items()
        if status.state in ("failed", "auth_required", "backoff")
    ]


def say_failures(servers: Servers) -> int:
    """Tell why servers are not to be had; the exit status that follows from it."""
    reasons = failures(servers)
    for reason in reasons:
        say(f"hackamore: {reason}")
    return EXIT_FAILED if reasons else exit_status(None)
