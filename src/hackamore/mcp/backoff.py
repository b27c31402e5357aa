"""When to try again: later each time, capped, and spread."""

import random
from collections.abc import Callable
from typing import Final

_FIRST: Final = 0.25
_LONGEST: Final = 2.0
_SHORT: Final = 0.5


class Backoff:
    """Counts failures in a row and says when the next try is due."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._failures = 0
        self._due = 0.0
        self._last = 0.0

    def failed(self) -> None:
        """Count one more failure: the next try is due after half of the next step, or more."""
        step = min(_LONGEST, _FIRST * 2**self._failures)
        self._failures += 1
        self._last = self._now()
        self._due = self._now() + step * random.uniform(0.5, 1.0)  # noqa: S311  # only spreads

    def worked(self) -> None:
        """Begin anew."""
        self._failures = 0
        self._due = 0.0

    def just_failed(self) -> bool:
        """Return whether the last try was so short a time ago that another would tell nothing."""
        return self._failures > 1 and self._now() - self._last < _SHORT

    def left(self) -> float:
        """Return the seconds until the next try is due; none at first, and never many."""
        return min(_LONGEST, max(0.0, self._due - self._now()))
