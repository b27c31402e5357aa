"""Where something lives that belongs to one event loop, and the way to it from anywhere.

MCP connections live in the loop that first uses them: awaited there they cost no detour. From
another loop or thread a call travels to that loop and back. When the loop is gone (`asyncio.run`
has ended), the next call makes a new home.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from hackamore.langchain.background import BACKGROUND

A = TypeVar("A")
T = TypeVar("T")

_BLOCKED: Final[ContextVar[asyncio.AbstractEventLoop | None]] = ContextVar(
    "hackamore_blocked_loop", default=None
)
"""The loop whose thread waits, without awaiting, for what runs in this context."""


@dataclass(frozen=True, slots=True)
class _Place(Generic[A]):
    loop: asyncio.AbstractEventLoop
    occupant: A


class Home(Generic[A]):
    """Keeps what `make` makes in one loop, and takes work to it.

    One case needs a second occupant: a sync call in the very thread of the first one's loop. That
    loop cannot run meanwhile, so the call goes to an occupant of its own in the background.
    """

    def __init__(
        self, make: Callable[[], A], leave: Callable[[A], Coroutine[Any, Any, None]]
    ) -> None:
        self._make = make
        self._leave = leave
        self._lock = threading.Lock()
        self._first: _Place[A] | None = None
        self._second: _Place[A] | None = None

    @property
    def occupant(self) -> A:
        """Whoever lives here now, or somebody who does not live yet; for looking only."""
        return self._make() if self._first is None else self._first.occupant

    def here(self) -> A | None:
        """Return the occupant when it lives in the running loop."""
        place = self._first
        if place is None or place.loop is not asyncio.get_running_loop():
            return None
        return place.occupant

    async def use(self, work: Callable[[A], Coroutine[Any, Any, T]]) -> T:
        """Do `work` where the occupant lives."""
        occupant = self.here()
        if occupant is not None:
            return await work(occupant)
        here = asyncio.get_running_loop()
        place = self._find(here)
        if place.loop is here:
            return await work(place.occupant)
        there = asyncio.run_coroutine_threadsafe(work(place.occupant), place.loop)
        return await asyncio.wrap_future(there)

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work`, which comes back here by `use`, for a caller that awaits."""
        return await work

    def run_sync(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work`, which comes back here by `use`, for a caller that cannot await."""
        token = _BLOCKED.set(_running_loop())
        try:
            return BACKGROUND.run_sync(work)
        finally:
            _BLOCKED.reset(token)

    async def close(self) -> None:
        """Have whoever lives here leave."""
        with self._lock:
            places = [place for place in (self._first, self._second) if place is not None]
            self._first = self._second = None
        for place in places:
            await self._emptied(place)

    async def _emptied(self, place: _Place[A]) -> None:
        if place.loop is asyncio.get_running_loop():
            await self._leave(place.occupant)
        elif place.loop.is_running() and place.loop is not _BLOCKED.get():
            there = asyncio.run_coroutine_threadsafe(self._leave(place.occupant), place.loop)
            await asyncio.wrap_future(there)
        elif not place.loop.is_closed():
            place.loop.call_soon_threadsafe(_begin, self._leave(place.occupant))

    def _find(self, here: asyncio.AbstractEventLoop) -> _Place[A]:
        with self._lock:
            first = self._first
            if first is None or first.loop.is_closed() or not first.loop.is_running():
                first = self._first = _Place(here, self._make())
            if first.loop is not _BLOCKED.get():
                return first
            if self._second is None:
                self._second = _Place(here, self._make())
            return self._second


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


_BEGUN: Final[set[asyncio.Task[None]]] = set()


def _begin(leaving: Coroutine[Any, Any, None]) -> None:
    """Start what a blocked loop can only do once it runs again."""
    task = asyncio.ensure_future(leaving)
    _BEGUN.add(task)
    task.add_done_callback(_BEGUN.discard)
