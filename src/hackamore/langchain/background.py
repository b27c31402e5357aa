"""Runs coroutines for callers that cannot await: on one loop in a thread of its own."""

import asyncio
import contextvars
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Runner(Protocol):
    """Where the calls of a tool run."""

    def run_sync(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end, from any thread, with or without a running loop."""
        ...

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` for a caller that awaits, on whatever loop it needs."""
        ...


class BackgroundRunner:
    """Runs what sync callers want on one loop in a daemon thread, started at the first need."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run_sync(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end; the caller's context variables hold in it.

        A caller who is interrupted cancels the work. A call from the loop's own thread, which
        would wait for itself, runs on a loop of its own.
        """
        loop = self._started()
        if threading.current_thread() is self._thread:
            with ThreadPoolExecutor(1) as other:
                context = contextvars.copy_context()
                return other.submit(context.run, asyncio.run, work).result()
        future = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the caller's own loop."""
        return await work

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="hackamore-tools", daemon=True
                )
                self._thread.start()
            return self._loop


BACKGROUND = BackgroundRunner()
"""The one that tools share when they are given none."""
