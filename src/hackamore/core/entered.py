"""What is used in an ``async with`` block, whose end closes it."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Entered(ABC):
    """Entering begins nothing; leaving closes."""

    @abstractmethod
    async def aclose(self) -> None:
        """Let go of everything."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()
