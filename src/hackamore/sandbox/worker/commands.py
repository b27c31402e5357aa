"""Running commands: one holder each, its output streamed, its limits watched."""

import contextlib
import json
import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from hackamore.sandbox.worker.channel import Channel
from hackamore.sandbox.worker.holder import CommandLimits, Launch, hold
from hackamore.sandbox.worker.output import KeptOutput

_CHUNK: Final = 64 * 1024
_GLIMPSE_SECONDS: Final = 0.25
_GLIMPSE_BYTES: Final = 4096
_STOP_SECONDS: Final = 0.5
_DRAIN_SECONDS: Final = 0.2
_KILLED: Final = -9


@dataclass(frozen=True, slots=True)
class Order:
    """A command as the host asked for it; `folder` is an open descriptor."""

    request: int
    argv: tuple[str, ...]
    folder: int
    environment: Mapping[str, str]
    timeout: float
    max_output: int
    limits: CommandLimits
    confined: bool


@dataclass(slots=True)
class RunningCommand:
    """A command between its start and its reply."""

    request: int
    holder: int
    output: int
    status: int
    kept: KeptOutput
    deadline: float
    started: float
    timed_out: bool = False
    note: str = ""
    stopping_since: float | None = None
    exit_code: int | None = None
    held_until: float | None = None
    output_open: bool = True
    last_glimpse: float = 0.0
    report: bytearray = field(default_factory=bytearray)
    cancels: list[int] = field(default_factory=list[int])

    def read_output(self, channel: Channel) -> bool:
        """Take what the command wrote; False at its end."""
        data = os.read(self.output, _CHUNK)
        head = self.kept.take(data)
        if head:
            channel.tell(self.request, head, kept=True)
        elif data and time.monotonic() - self.last_glimpse > _GLIMPSE_SECONDS:
            self.last_glimpse = time.monotonic()
            channel.tell(self.request, data[-_GLIMPSE_BYTES:], kept=False)
        return bool(data)

    def read_status(self) -> bool:
        """Take what the holder says; False when it has ended."""
        data = os.read(self.status, _CHUNK)
        self.report += data
        if not data:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.holder, 0)
            self.exit_code = _exit_code(bytes(self.report))
            self.held_until = time.monotonic() + _DRAIN_SECONDS
        return bool(data)

    def stop(self) -> None:
        """Ask the holder to end everything."""
        if self.stopping_since is None and self.held_until is None:
            self.stopping_since = time.monotonic()
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.holder, signal.SIGTERM)

    def blame(self, excess: str) -> None:
        """Say at the end of the output which limit the command went over."""
        self.note = f"\n[stopped: the command used {excess}]\n"

    def check_time(self, now: float) -> None:
        """Stop the command when its time is over."""
        if now >= self.deadline and self.stopping_since is None and self.held_until is None:
            self.timed_out = True
            self.stop()

    @property
    def stuck(self) -> bool:
        """Whether the holder did not end the tree in time."""
        since = self.stopping_since
        return (
            self.held_until is None
            and since is not None
            and time.monotonic() - since > _STOP_SECONDS
        )

    @property
    def over(self) -> bool:
        """Whether the reply can be sent: the tree has ended and its output is read."""
        if self.held_until is None:
            return False
        return not self.output_open or time.monotonic() > self.held_until

    def reply(self, channel: Channel) -> None:
        """Send how it ended, and tell who asked to cancel it that it has."""
        tail = self.kept.tail() + self.note.encode()
        code = None if self.timed_out else (_KILLED if self.exit_code is None else self.exit_code)
        channel.reply(
            self.request,
            tail,
            exit_code=code,
            omitted=self.kept.omitted,
            timed_out=self.timed_out,
            duration=time.monotonic() - self.started,
        )
        for request in self.cancels:
            channel.reply(request)


def start(order: Order) -> RunningCommand:
    """Fork a holder that starts the command."""
    output, output_end = os.pipe()
    status, status_end = os.pipe()
    holder = os.fork()
    if holder == 0:
        try:
            hold(
                Launch(
                    order.argv,
                    order.folder,
                    order.environment,
                    output_end,
                    status_end,
                    order.limits,
                    order.confined,
                )
            )
        finally:
            os._exit(1)
    os.close(output_end)
    os.close(status_end)
    now = time.monotonic()
    kept = KeptOutput(order.max_output)
    return RunningCommand(order.request, holder, output, status, kept, now + order.timeout, now)


def _exit_code(report: bytes) -> int | None:
    """Read the holder's report; a holder that was killed has written none."""
    try:
        value = cast(object, json.loads(report)["status"])
    except (ValueError, KeyError, TypeError):
        return None
    return value if isinstance(value, int) else None
