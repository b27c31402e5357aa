"""Commands as the rest of the program sees them: the port `Sandbox`."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.errors import SandboxUnavailable, WorkspaceError
from hackamore.core.workspace import Command, CommandResult, OnOutput, SandboxLevel
from hackamore.sandbox.connection import Connection, ConnectionLost
from hackamore.sandbox.files import relative_path
from hackamore.sandbox.git_guard import GitGuard
from hackamore.sandbox.replies import BadReply, check, command_result
from hackamore.sandbox.worker_link import WorkerLink
from hackamore.wire.frames import Frame

_GRACE_SECONDS: Final = 3.0
_CANCEL_SECONDS: Final = 1.0


class CommandSandbox:
    """Runs commands in the worker; their whole tree ends with them."""

    def __init__(self, link: WorkerLink) -> None:
        self._link = link
        self._guard = GitGuard(link.root, link.kept_names)
        self._stopping: set[asyncio.Task[None]] = set()

    @property
    def level(self) -> SandboxLevel:
        """The level that the self-test at start proved."""
        return self._link.level

    async def execute(self, command: Command, on_output: OnOutput | None = None) -> CommandResult:
        """Run a command; see `Sandbox.execute`."""
        connection = await self._link.connection_for_command()
        if self.level != "full":
            return await self._result(connection, command, on_output)
        with self._guard.watching() as undone:
            result = await self._result(connection, command, on_output)
        return _with_lines(result, undone)

    async def _result(
        self, connection: Connection, command: Command, on_output: OnOutput | None
    ) -> CommandResult:
        head = _Head(command.max_output // 2, on_output)
        try:
            frame = await self._run(connection, command, head.take)
            return command_result(check(frame), bytes(head.kept), command.max_output)
        except TimeoutError:
            await self._end(connection)
            return CommandResult(
                None, bytes(head.kept), 0, timed_out=True, duration=command.timeout
            )
        except ConnectionLost as error:
            await self._end(connection)
            raise SandboxUnavailable(
                "The sandbox ended while the command ran.",
                hint="It starts again with the next command.",
            ) from error
        except BadReply as error:
            await self._end(connection)
            raise WorkspaceError(
                f"The sandbox answered nonsense ({error}) and was ended.", code=Code.INTERNAL
            ) from error

    async def _run(
        self, connection: Connection, command: Command, on_news: Callable[[Frame], None]
    ) -> Frame:
        number = connection.new_number()
        folder = relative_path(command.folder, (self._link.root,))
        with connection.expecting(number, on_news) as answer:
            try:
                await connection.send(
                    number,
                    "execute",
                    line=command.line,
                    folder=folder,
                    timeout=command.timeout,
                    max_output=command.max_output,
                    environment=command.environment,
                )
                return await asyncio.wait_for(answer, command.timeout + _GRACE_SECONDS)
            except asyncio.CancelledError:
                stopping = asyncio.create_task(self._stop(connection, number))
                self._stopping.add(stopping)
                stopping.add_done_callback(self._stopping.discard)
                await asyncio.shield(stopping)
                raise

    async def _stop(self, connection: Connection, number: int) -> None:
        """Have the command's tree killed; when that takes too long, the whole sandbox.

        Runs to its end also when whoever waits for it is cancelled once more.
        """
        try:
            await asyncio.wait_for(connection.request("cancel", target=number), _CANCEL_SECONDS)
        except (ConnectionLost, TimeoutError):
            await self._end(connection)

    async def _end(self, connection: Connection) -> None:
        """End the sandbox and wait until no process of it can write any more."""
        connection.kill()
        await connection.close()


class _Head:
    """The first part of the output, as it comes; never more than was agreed."""

    def __init__(self, limit: int, on_output: OnOutput | None) -> None:
        self.kept = bytearray()
        self._limit = limit
        self._on_output = on_output

    def take(self, frame: Frame) -> None:
        if frame.header.get("kept") is True:
            self.kept += frame.payload[: self._limit - len(self.kept)]
        if self._on_output is not None:
            self._on_output(frame.payload)


def _with_lines(result: CommandResult, lines: Sequence[str]) -> CommandResult:
    """Add lines at the end; output that was cut loses as much of its tail, and stays as long."""
    if not lines:
        return result
    note = "".join(f"\n{line}" for line in lines).encode() + b"\n"
    half = len(result.output) // 2
    lost = min(len(note), half) if result.omitted else 0
    output = result.output[:half] + result.output[half + lost :] + note
    return replace(result, output=output, omitted=result.omitted + lost)
