"""What every stream has that the SDK reads from or writes to, besides what makes it that stream."""

from abc import abstractmethod
from typing import Self

import anyio
from mcp.shared.message import SessionMessage

from hackamore.core.entered import Entered


class Stream(Entered):
    """Can be left, which closes it."""


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
