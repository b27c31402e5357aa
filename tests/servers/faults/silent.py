"""Servers that say nothing, or do not go away."""

import os
import signal
import subprocess
import sys
import time

from servers.faults.options import Options
from servers.faults.server import LONGEST_LIFE, Call, Message, Server

_STUBBORN_CHILD = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    f" signal.alarm({LONGEST_LIFE}); print('ready', flush=True); time.sleep({LONGEST_LIFE})"
)


class Hang(Server):
    """Never answers a call; the record shows the cancellation that it gets."""

    def call(self, call: Call) -> Message:
        if self.options.due():
            self.hang()
        return super().call(call)


class SlowCall(Server):
    """Answers a call after `seconds`."""

    def call(self, call: Call) -> Message:
        time.sleep(self.options.seconds)
        return super().call(call)


class MuteAtInitialize(Server):
    """Never answers anything."""

    def result(self, message: Message, channel: object) -> Message:
        self.hang()
        return {}


class MuteAtDiscover(Server):
    """Ignores server/discover, and shakes hands properly."""

    def discover(self, params: Message) -> Message:
        self.hang()
        return {}


class MuteAtList(Server):
    """Shakes hands and never lists its tools."""

    def list_tools(self, cursor: str | None) -> Message:
        if self.options.due():
            self.hang()
        return super().list_tools(cursor)


class SlowStart(Server):
    """Shakes hands after `seconds`."""

    def initialize(self, params: Message) -> Message:
        time.sleep(self.options.seconds)
        return super().initialize(params)


class IgnoreEnd(Server):
    """Goes away neither at the end of stdin nor at SIGTERM."""

    stays = True

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        options.note("pid", os.getpid())


class Grandchild(Server):
    """Leaves a child in its process group that ignores SIGTERM; the record has its pid."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        command = [sys.executable, "-S", "-c", _STUBBORN_CHILD]
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        options.note("pid", child.pid)


FAULTS = {
    "hang": Hang,
    "slow-call": SlowCall,
    "mute-at-initialize": MuteAtInitialize,
    "mute-at-discover": MuteAtDiscover,
    "mute-at-list": MuteAtList,
    "slow-start": SlowStart,
    "ignore-end": IgnoreEnd,
    "grandchild": Grandchild,
}
