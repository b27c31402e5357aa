"""Blocking work in a thread that stops soon after its caller is cancelled."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


class Abandoned(Exception):
    """Nobody waits for the work any more."""


async def in_thread(work: Callable[[Callable[[], None]], _T]) -> _T:
    """Run `work` in a thread and return its result.

    Args:
        work: Is given a function to call between its steps; that raises `Abandoned` once the
            caller was cancelled.
    """
    cancelled = threading.Event()

    def check() -> None:
        if cancelled.is_set():
            raise Abandoned

    def run() -> _T | None:
        try:
            return work(check)
        except Abandoned:
            return None

    try:
        result = await asyncio.to_thread(run)
    except asyncio.CancelledError:
        cancelled.set()
        raise
    return result  # pyright: ignore[reportReturnType] - None only when nobody waits
