"""Jobs: requests that may take long and so run in a forked child that answers by a pipe."""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from hackamore.core.codes import Code
from hackamore.sandbox.worker.channel import Channel, refused
from hackamore.sandbox.worker.refusal import Refusal, refusal

_CHUNK: Final = 1024 * 1024
SECONDS: Final = 2.8
"""When a job that has not answered is killed; it should have stopped itself before."""


@dataclass(slots=True)
class Job:
    """A child at work; it writes one whole frame and ends."""

    request: int
    pid: int
    answer: int
    deadline: float
    received: bytearray = field(default_factory=bytearray)

    def read(self) -> bool:
        """Take what has come of the answer; False at its end."""
        data = os.read(self.answer, _CHUNK)
        self.received += data
        return bool(data)

    def kill(self) -> None:
        """End it; what it has not said stays unsaid."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def reply(self, channel: Channel) -> None:
        """Pass the answer on, or say that there is none; the child has ended."""
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        if self.received:
            channel.send_bytes(bytes(self.received))
        else:
            channel.refuse(self.request, Refusal(Code.TIMEOUT, "It took too long."))


def start(request: int, work: Callable[[], bytes]) -> Job:
    """Fork a child that does `work`, which returns a whole frame."""
    answer, answer_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            _write_all(answer_end, _answer(request, work))
        finally:
            os._exit(0)
    os.close(answer_end)
    with contextlib.suppress(OSError):
        os.setpgid(pid, pid)
    return Job(request, pid, answer, time.monotonic() + SECONDS)


def _answer(request: int, work: Callable[[], bytes]) -> bytes:
    try:
        return work()
    except Refusal as error:
        return refused(request, error)
    except OSError as error:
        return refused(request, refusal(error, "The search"))


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
