"""Fetching a model, as the person sees it: asked once, then a progress bar."""

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from hackamore.cli.terminal.keyboard import read_line


class TerminalFetching:
    """Asks before a download, unless the answer is known, and shows how far it is."""

    def __init__(self, console: Console, *, yes: bool) -> None:
        self._console = console
        self._yes = yes
        self._progress: Progress | None = None
        self._task = TaskID(0)

    async def wanted(self, name: str, size: int) -> bool:
        """Ask whether to fetch; nobody there to ask means no."""
        if self._yes:
            return True
        if not sys.stdin.isatty():
            return False
        question = f"Fetch the model {name} ({size / 1e9:.1f} GB, once, kept for all projects)?"
        answer = await read_line(f"{question} [Y/n] ")
        return answer is not None and answer.strip().lower() in ("", "y", "yes")

    def started(self, name: str, size: int) -> None:
        """Show the bar."""
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._task = self._progress.add_task(name, total=size)
        self._progress.start()

    def moved(self, done: int, what: str) -> None:
        """Move the bar to `done` bytes."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done, description=what)

    def ended(self) -> None:
        """Leave the bar as it is."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
