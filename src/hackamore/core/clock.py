"""The port to time, so that tests need not wait."""

from typing import Protocol


class Clock(Protocol):
    """Time and waiting."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def monotonic(self) -> float:
        """Seconds from some fixed point; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...
