"""What every stream has that the SDK reads from or writes to, besides what makes it that stream."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

import anyio
from mcp.shared.message import SessionMessage


class Stream(ABC):
    """Can be left, which closes it."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close it."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


class ReadingStream(Stream):
    """Gives messages one by one, until there are no more."""

    @abstractmethod
    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            anyio.EndOfStream: There will be none.
        """

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None
