"""When to try again: later each time, capped, and spread."""

import random
from collections.abc import Callable
from typing import Final

_FIRST: Final = 0.25
_LONGEST: Final = 30.0


class Backoff:
    """Counts failures in a row and says when the next try is due."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._failures = 0
        self._due = 0.0

    def failed(self) -> None:
        """Count one more failure: the next try is due after half of the next step, or more."""
        step = min(_LONGEST, _FIRST * 2**self._failures)
        self._failures += 1
        self._due = self._now() + step * random.uniform(0.5, 1.0)  # noqa: S311  # only spreads

    def worked(self) -> None:
        """Begin anew."""
        self._failures = 0
        self._due = 0.0

    def left(self) -> float:
        """Return the seconds until the next try is due; none at first."""
        return max(0.0, self._due - self._now())
