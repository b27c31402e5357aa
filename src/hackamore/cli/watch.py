"""Watching one run: events to the screen or as JSON lines, Ctrl-C to its cancel."""

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TypeAlias

from rich.console import Console

from hackamore.cli.interrupt import interruptible
from hackamore.cli.terminal.browser import open_page
from hackamore.cli.terminal.fetching import TerminalFetching
from hackamore.cli.terminal.host import AbsentHost, TerminalHost
from hackamore.cli.terminal.safe import visible
from hackamore.cli.terminal.view import TerminalView
from hackamore.compose.options import Options
from hackamore.compose.session import open_session
from hackamore.core.codes import EXIT_CANCELLED, exit_status
from hackamore.core.errors import Cancelled, HackamoreError
from hackamore.core.events import Event, RunEnded, RunResult, RunStatus
from hackamore.core.host import Host
from hackamore.wire.encode import encode_event

Show: TypeAlias = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Watched:
    """What is run: a task by name (None: free work), the person's words, how it is shown."""

    options: Options
    task: str | None
    request: str
    as_json: bool


def watch(watched: Watched) -> int:
    """Run it and return the exit status."""
    return asyncio.run(_watch(watched))


async def _watch(watched: Watched) -> int:
    console = Console(stderr=watched.as_json, highlight=False, emoji=False)
    view = TerminalView(console)
    show: Show = _print_json if watched.as_json else view.show
    attended = sys.stdin.isatty() and not watched.as_json
    host: Host = TerminalHost(console, view) if attended else AbsentHost()
    if attended:
        watched = replace(watched, options=replace(watched.options, open_page=open_page))
    try:
        return await _run(watched, host, show, TerminalFetching(console, yes=watched.options.yes))
    except asyncio.CancelledError:
        return _ended_early(Cancelled("Cancelled."), watched.as_json)
    except HackamoreError as error:
        return _ended_early(error, watched.as_json)


async def _run(watched: Watched, host: Host, show: Show, fetching: TerminalFetching) -> int:
    status = EXIT_CANCELLED
    with interruptible() as interrupt:
        async with open_session(watched.options, watched.task, host, fetching) as session:
            run = session.run(watched.task, watched.request)
            interrupt.first(run.cancel)
            if isinstance(host, TerminalHost):
                host.follow(run.caught_up)
            async with aclosing(aiter(run)) as events:
                async for event in events:
                    show(event)
                    if isinstance(event, RunEnded):
                        status = exit_status(event.result.code)
    return status


def _print_json(event: Event) -> None:
    print(json.dumps(encode_event(event), ensure_ascii=False), flush=True)


def _ended_early(error: HackamoreError, as_json: bool) -> int:
    """Tell why no run came about, in the form that was asked for."""
    if as_json:
        status: RunStatus = "cancelled" if isinstance(error, Cancelled) else "error"
        result = RunResult(status, "", status, error=str(error), code=error.code)
        _print_json(RunEnded(result, seq=1))
    else:
        print(f"hackamore: {visible(str(error))}", file=sys.stderr)
    return exit_status(error.code)
