"""A run: work that tells its watchers everything, and always how it ended."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from hackamore.agent.tally import Tally
from hackamore.core.clock import Clock
from hackamore.core.codes import Code
from hackamore.core.errors import HackamoreError
from hackamore.core.events import Emit, Event, RunEnded, RunResult, RunStarted, stamped

Work: TypeAlias = Callable[[Emit], Coroutine[None, None, RunResult]]
_CANCELLED: Final = RunResult("cancelled", "", "cancelled", error="Cancelled.", code=Code.CANCELLED)


@dataclass(slots=True)
class Numbers:
    """The event numbers of a session, which go on from run to run."""

    last: int = 0

    def next(self) -> int:
        """Return the next number."""
        self.last += 1
        return self.last


class Run:
    """One run. Iterate over it for its events, the last of which is `RunEnded`.

    Leaving the iteration early cancels the work.
    """

    def __init__(
        self, started: RunStarted, work: Work, *, request_id: str, numbers: Numbers, clock: Clock
    ) -> None:
        self._started = started
        self._work = work
        self._request_id = request_id
        self._numbers = numbers
        self._clock = clock
        self._queue: asyncio.Queue[Event] = asyncio.Queue()
        self._tally = Tally()
        self._working: asyncio.Task[RunResult] | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """Stop the work; its events still come, down to `RunEnded`."""
        self._cancelled = True
        if self._working is not None:
            self._working.cancel()

    async def caught_up(self) -> None:
        """Wait until the watcher has taken all events so far."""
        await self._queue.join()

    async def __aiter__(self) -> AsyncGenerator[Event, None]:
        """Do the work and yield its events."""
        bracketed = asyncio.create_task(self._bracketed())
        try:
            while True:
                event = await self._queue.get()
                yield event
                self._queue.task_done()
                if isinstance(event, RunEnded):
                    await bracketed
                    return
        finally:
            self.cancel()
            await asyncio.gather(bracketed, return_exceptions=True)

    def _emit(self, event: Event) -> None:
        self._tally.watch(event)
        self._queue.put_nowait(
            stamped(
                event,
                session_id=self._started.session_id,
                request_id=self._request_id,
                seq=self._numbers.next(),
                time=self._clock.now(),
            )
        )

    async def _bracketed(self) -> None:
        """Run the work between `RunStarted` and `RunEnded`."""
        self._emit(self._started)
        result = RunResult("error", "", "error", error="Hackamore failed.", code=Code.INTERNAL)
        try:
            result = await self._cancellable()
        except HackamoreError as error:
            result = RunResult("error", "", "error", error=str(error), code=error.code)
        except asyncio.CancelledError:
            result = _CANCELLED
        finally:
            self._emit(RunEnded(self._summed(result)))

    async def _cancellable(self) -> RunResult:
        """Do the work in a task of its own, which `cancel` can stop at any moment."""
        self._working = asyncio.create_task(self._work(self._emit))
        if self._cancelled:
            self._working.cancel()
        return await self._working

    def _summed(self, result: RunResult) -> RunResult:
        return replace(
            result,
            text=result.text or self._tally.text,
            input_tokens=self._tally.input_tokens,
            output_tokens=self._tally.output_tokens,
            changes=self._tally.changes(),
        )
