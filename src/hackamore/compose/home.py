"""Where something lives that belongs to one event loop, and the way to it from anywhere.

MCP connections live in the loop that first uses them: awaited there they cost no detour. From
another loop or thread a call travels to that loop and back. When the loop is gone (`asyncio.run`
has ended), the next call makes a new home.
"""

import asyncio
import contextlib
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from hackamore.core.errors import ConnectionLost
from hackamore.langchain.background import BACKGROUND

_LOOK_AGAIN: Final = 1.0

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

    There is a further occupant where the loop of the first one cannot be used: when it stands
    still, and for a sync call in its very thread. When the home itself is forgotten, all leave.
    """

    def __init__(
        self, make: Callable[[], A], leave: Callable[[A], Coroutine[Any, Any, None]]
    ) -> None:
        self._make = make
        self._leave = leave
        self._lock = threading.Lock()
        self._places: list[_Place[A]] = []
        weakref.finalize(self, _all_leave, self._places, leave).atexit = False

    @property
    def occupant(self) -> A:
        """Whoever lives here now, or somebody who does not live yet; for looking only."""
        return self._places[0].occupant if self._places else self._make()

    def here(self) -> A | None:
        """Return the occupant when it lives in the running loop."""
        place = self._places[0] if self._places else None
        if place is None or place.loop is not asyncio.get_running_loop():
            return None
        return place.occupant

    async def use(self, work: Callable[[A], Coroutine[Any, Any, T]]) -> T:
        """Do `work` where the occupant lives.

        Raises:
            ConnectionLost: The loop that it lives in ended meanwhile.
        """
        occupant = self.here()
        if occupant is not None:
            return await work(occupant)
        here = asyncio.get_running_loop()
        place = self._find(here)
        if place.loop is here:
            return await work(place.occupant)
        there = asyncio.run_coroutine_threadsafe(work(place.occupant), place.loop)
        return await _from_afar(there, place.loop)

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
            places = self._places[:]
            self._places.clear()
        for place in places:
            if place.loop is asyncio.get_running_loop():
                await self._leave(place.occupant)
            elif place.loop.is_running() and place.loop is not _BLOCKED.get():
                leaving = self._leave(place.occupant)
                there = asyncio.run_coroutine_threadsafe(leaving, place.loop)
                await _from_afar(there, place.loop)
            else:
                _leaves_later(place, self._leave)

    def _find(self, here: asyncio.AbstractEventLoop) -> _Place[A]:
        """Return the first place whose loop can be used; make one here when there is none."""
        with self._lock:
            self._places[:] = [place for place in self._places if not place.loop.is_closed()]
            for place in self._places:
                if place.loop.is_running() and place.loop is not _BLOCKED.get():
                    return place
            made = _Place(here, self._make())
            self._places.append(made)
            return made


async def _from_afar(there: "Future[T]", loop: asyncio.AbstractEventLoop) -> T:
    """Wait for work in another loop, which may end before the work does."""
    result = asyncio.wrap_future(there)
    while not result.done():
        await asyncio.wait({result}, timeout=_LOOK_AGAIN)
        if loop.is_closed() and not result.done():
            there.cancel()
    if result.cancelled():
        raise ConnectionLost("The event loop that the MCP server was used in has ended.")
    return result.result()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _all_leave(
    places: list[_Place[Any]], leave: Callable[[Any], Coroutine[Any, Any, None]]
) -> None:
    """Have all leave, as soon as their loops get to it."""
    for place in places:
        _leaves_later(place, leave)


def _leaves_later(place: _Place[Any], leave: Callable[[Any], Coroutine[Any, Any, None]]) -> None:
    if not place.loop.is_closed():
        with contextlib.suppress(RuntimeError):
            place.loop.call_soon_threadsafe(_begin, place.occupant, leave)


_BEGUN: Final[set[asyncio.Task[None]]] = set()


def _begin(occupant: A, leave: Callable[[A], Coroutine[Any, Any, None]]) -> None:
    """Start what a loop can only do once it gets to it."""
    task = asyncio.ensure_future(leave(occupant))
    _BEGUN.add(task)
    task.add_done_callback(_BEGUN.discard)
