"""The stdio transport: a server as a child process that speaks lines of JSON."""

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from mcp.client._transport import TransportStreams

from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.input_stream import PROBE_SECONDS, InputStream
from hackamore.mcp.last_words import LastWords
from hackamore.mcp.output_stream import OutputStream
from hackamore.mcp.server_process import ServerProcess, start_process

_MOMENT: Final = 0.3


class StdioLink:
    """What is known of a connection to a child process besides its messages."""

    def __init__(
        self, process: ServerProcess, noise: Callable[[bytes], None], probe: float
    ) -> None:
        self.process = process
        self.output = OutputStream(process.pipes.stdout, noise=noise)
        self.input = InputStream(process.pipes.stdin, self.output.give_up, probe)
        self.words = LastWords(process.pipes.stderr)
        self._closing = False
        self.following = asyncio.create_task(self._follow())

    @property
    def died(self) -> bool:
        """Whether it ended by itself."""
        return self.output.ended and not self.output.closed and not self._closing

    async def fault(self) -> str:
        """Say why the connection ended, as far as the process tells within a moment."""
        if self.output.ended and not self.output.fault:
            await asyncio.wait({self.following}, timeout=_MOMENT)
        self.words.drain()
        status = self.process.exit_status
        said = self.output.fault or _ending(status)
        words = self.words.text()
        return f"{said}; it last wrote:\n{words}" if words else said

    async def close(self) -> None:
        """End the process and everything that it started."""
        self._closing = not self.output.ended
        self.input.close()
        try:
            await self.process.stop()
        finally:
            self.following.cancel()
            self.output.end()
            self.words.drain()
            self.words.close()
            os.close(self.process.pipes.stdout)
            os.close(self.process.pipes.stderr)

    async def _follow(self) -> None:
        """End the stream with the process, even when something else holds its pipe open."""
        await self.process.exited()
        await asyncio.sleep(0)
        self.output.read_all()


def _ending(status: int | None) -> str:
    if status is None:
        return "it closed the connection"
    return f"it was killed by signal {-status}" if status < 0 else f"it ended with status {status}"


@asynccontextmanager
async def stdio_transport(
    entry: ServerEntry,
    variables: Mapping[str, str],
    workspace: str | None,
    noise: Callable[[bytes], None],
    linked: Callable[[StdioLink], None],
) -> AsyncGenerator[TransportStreams, None]:
    """Start `entry`'s command and yield the streams to it; end the process on leaving.

    Args:
        entry: What to start.
        variables: Our environment.
        workspace: Where to start it, unless the entry says.
        noise: Told what it writes to stdout that is no message.
        linked: Given the link as soon as the process runs.

    Raises:
        ServerUnavailable: It cannot be started.
    """
    probe = min(PROBE_SECONDS, entry.connect_timeout / 2)
    link = StdioLink(start_process(entry, variables, workspace), noise, probe)
    linked(link)
    try:
        yield link.output, link.input
    finally:
        with contextlib.suppress(OSError):
            await _to_the_end(link.close())


async def _to_the_end(closing: Coroutine[Any, Any, None]) -> None:
    """Await `closing` even when this task is cancelled meanwhile; its waits are bounded."""
    task = asyncio.ensure_future(closing)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled
