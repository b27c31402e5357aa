"""How long a request may take: only the time counts in which the server itself works."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager


class Deadline:
    """Calls back once, when its time is up; stands still while it is paused."""

    def __init__(self, seconds: float, late: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._left = seconds
        self._late = late
        self._started = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.resume()

    def pause(self) -> None:
        """Let no more time pass."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._left -= self._loop.time() - self._started

    def resume(self) -> None:
        """Let time pass again."""
        if self._timer is None:
            self._started = self._loop.time()
            self._timer = self._loop.call_later(max(self._left, 0.0), self._late)

    def stop(self) -> None:
        """Never call back."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Patience:
    """The deadlines of one server's requests; all stand still while the person is asked."""

    def __init__(self) -> None:
        self._deadlines: set[Deadline] = set()
        self._asking = 0

    @contextmanager
    def within(self, seconds: float, late: Callable[[], None]) -> Generator[None]:
        """Call `late` when the block takes longer than `seconds` of the server's own time."""
        deadline = self.begin(seconds, late)
        try:
            yield
        finally:
            self.end(deadline)

    def begin(self, seconds: float, late: Callable[[], None]) -> Deadline:
        """Return a deadline that calls `late` when it has passed; `end` it."""
        deadline = Deadline(seconds, late)
        if self._asking:
            deadline.pause()
        self._deadlines.add(deadline)
        return deadline

    def end(self, deadline: Deadline) -> None:
        """Let a deadline pass without a call."""
        self._deadlines.discard(deadline)
        deadline.stop()

    @contextmanager
    def asking(self) -> Generator[None]:
        """Let no deadline come nearer while the block waits for the person."""
        self._asking += 1
        for deadline in self._deadlines:
            deadline.pause()
        try:
            yield
        finally:
            self._asking -= 1
            if not self._asking:
                for deadline in self._deadlines:
                    deadline.resume()
