"""One worker process and the pipe to it: requests by number, replies to whoever waits.

The worker is not trusted: whatever is no proper frame, or answers nobody, ends it.
"""

import asyncio
import contextlib
import itertools
import os
import signal
from collections.abc import Callable, Generator
from typing import Final

from hackamore.core.json import JSON
from hackamore.sandbox.diagnosis import start_failed
from hackamore.sandbox.first_process import FirstProcess
from hackamore.sandbox.launch import Launch
from hackamore.wire.frames import Frame, FrameDecoder, FrameError, encode_frame

_CHUNK: Final = 1024 * 1024
_START_SECONDS: Final = 10.0
_LEAVE_SECONDS: Final = 1.0
_MAX_WORDS: Final = 16 * 1024

OnNews = Callable[[Frame], None]


class ConnectionLost(Exception):
    """The worker is gone; what was asked of it has no answer."""


class Connection:
    """A started worker. Use it from the event loop that started it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Frame]] = {}
        self._news: dict[int, OnNews] = {}
        self._words = bytearray()
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._listen())]
        self.lost = False
        self.first_process: FirstProcess | None = None

    @classmethod
    async def start(cls, launch: Launch) -> "Connection":
        """Start a worker and wait for its first word.

        Raises:
            SandboxUnavailable: It did not come up; says why.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *launch.argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=dict(launch.environment),
                start_new_session=True,
                limit=_CHUNK,
            )
        except OSError as error:
            raise start_failed(str(error)) from error
        connection = cls(process)
        try:
            await asyncio.wait_for(connection.request("ping"), _START_SECONDS)
        except (ConnectionLost, TimeoutError) as error:
            await connection.close()
            raise start_failed(connection.words) from error
        except BaseException:
            await connection.close()
            raise
        if launch.confined:
            connection.first_process = FirstProcess(process.pid)
        return connection

    @property
    def words(self) -> str:
        """What the process said on standard error."""
        return self._words.decode("utf-8", "replace")

    @property
    def busy(self) -> bool:
        """Whether something is under way."""
        return bool(self._waiting)

    @property
    def pid(self) -> int:
        """The outer process."""
        return self._process.pid

    async def request(self, op: str, payload: bytes = b"", **fields: JSON) -> Frame:
        """Ask and wait for the answer.

        Raises:
            ConnectionLost: The worker ended before it answered.
        """
        number = next(self._numbers)
        with self.expecting(number) as answer:
            await self.send(number, op, payload, **fields)
            return await answer

    def new_number(self) -> int:
        """Return the number for a request that is sent and awaited step by step."""
        return next(self._numbers)

    @contextlib.contextmanager
    def expecting(
        self, number: int, on_news: OnNews | None = None
    ) -> Generator[asyncio.Future[Frame]]:
        """Yield the future answer to request `number`; forget it on leaving."""
        if self.lost:
            raise ConnectionLost
        future: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        if on_news is not None:
            self._news[number] = on_news
        try:
            yield future
        finally:
            self._waiting.pop(number, None)
            self._news.pop(number, None)
            future.cancel()

    async def send(self, number: int, op: str, payload: bytes = b"", **fields: JSON) -> None:
        """Send a request.

        Raises:
            ConnectionLost: The worker is gone.
        """
        stdin = self._process.stdin
        if self.lost or stdin is None:
            raise ConnectionLost
        stdin.write(encode_frame({"id": number, "op": op, **fields}, payload))
        try:
            await stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            raise ConnectionLost from error

    async def close(self) -> None:
        """End the worker with all below it, and wait until it has ended."""
        self.lost = True
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _LEAVE_SECONDS)
        except TimeoutError:
            self.kill()
            await self._process.wait()
        if self.first_process is not None:
            await self.first_process.wait_ended(_LEAVE_SECONDS)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._process.stdin is not None:
            with contextlib.suppress(ConnectionError):
                await self._process.stdin.wait_closed()

    def kill(self) -> None:
        """End the worker at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    async def _read(self) -> None:
        """Hand out replies until the worker ends or misbehaves."""
        decoder = FrameDecoder()
        try:
            while data := await _some(self._process.stdout):
                for frame in decoder.feed(data):
                    self._hand_out(frame)
        except FrameError:
            self.kill()
        finally:
            self.lost = True
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionLost())

    def _hand_out(self, frame: Frame) -> None:
        number = frame.header.get("id")
        if not isinstance(number, int):
            raise FrameError("a reply without a number")
        if "event" in frame.header:
            news = self._news.get(number)
            if news is not None:
                news(frame)
            return
        future = self._waiting.get(number)
        if future is not None and not future.done():
            future.set_result(frame)

    async def _listen(self) -> None:
        """Keep the last words of standard error, for a diagnosis."""
        while data := await _some(self._process.stderr):
            self._words += data
            del self._words[:-_MAX_WORDS]


async def _some(stream: asyncio.StreamReader | None) -> bytes:
    return b"" if stream is None else await stream.read(_CHUNK)
