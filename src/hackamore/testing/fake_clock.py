"""A clock that never makes anyone wait."""


class FakeClock:
    """Time passes only when somebody sleeps, and then at once.

    Attributes:
        slept: The waits that were asked for, in seconds.
    """

    def __init__(self, start: float = 1_000_000.0) -> None:
        self._time = start
        self.slept: list[float] = []

    def now(self) -> float:
        """Return the pretended seconds since the epoch."""
        return self._time

    def monotonic(self) -> float:
        """Return the same pretended time."""
        return self._time

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.slept.append(seconds)
        self._time += seconds
