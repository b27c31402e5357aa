"""Ctrl-C and SIGTERM: the first asks the run to end, the next one ends the program."""

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """What a signal does: cancel the run when there is one, else the whole task."""

    def __init__(self, task: "asyncio.Task[int] | None") -> None:
        self._task = task
        self._gently: Callable[[], None] | None = None

    def first(self, gently: Callable[[], None]) -> None:
        """Let the next signal call `gently` instead of ending everything."""
        self._gently = gently

    def strike(self) -> None:
        """React to one signal."""
        gently, self._gently = self._gently, None
        if gently is not None:
            gently()
        elif self._task is not None:
            self._task.cancel()


@contextmanager
def interruptible() -> Generator[Interrupt, None, None]:
    """Take over the signals for the running task."""
    interrupt = Interrupt(asyncio.current_task())
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, interrupt.strike)
    try:
        yield interrupt
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
