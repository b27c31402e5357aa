"""Servers that end when they should not."""

import os
import sys
import threading

from servers.faults.server import ECHO, Call, Channel, Message, Server, said


class ExitInCall(Server):
    """Ends in the middle of a call, with status 9 and last words on stderr."""

    def call(self, call: Call) -> Message:
        if self.options.due():
            print("faulty: the disk is on fire", file=sys.stderr, flush=True)
            os._exit(9)
        return super().call(call)


class ExitInMarkedCall(ExitInCall):
    """The same with tools that say of themselves what a second call would do."""

    def tools(self) -> list[Message]:
        return [
            ECHO | {"name": "look", "annotations": {"readOnlyHint": True}},
            ECHO | {"name": "put", "annotations": {"idempotentHint": True}},
            ECHO | {"name": "add", "annotations": {"destructiveHint": False}},
            ECHO | {"name": "plain"},
        ]


class ExitAfterCall(Server):
    """Ends properly, with status 0, after each answer to a call; it reads nothing more before."""

    one_at_a_time = True

    def requested(self, message: Message, channel: Channel) -> None:
        super().requested(message, channel)
        if message["method"] == "tools/call" and self.options.due():
            os._exit(0)


class DieOnDiscover(Server):
    """Ends at the first word of the stateless revision, as some old servers do."""

    def discover(self, params: Message) -> Message:
        print("faulty: unknown request: server/discover", file=sys.stderr, flush=True)
        os._exit(1)


class DieAtStart(Server):
    """Ends before it has read anything, with a reason on stderr."""

    def __init__(self, *arguments: object) -> None:
        print("faulty: API_KEY is not set", file=sys.stderr, flush=True)
        os._exit(3)


class DieWhenIdle(Server):
    """Ends by itself, `seconds` after the answer to a call, when nobody waits for it."""

    def requested(self, message: Message, channel: Channel) -> None:
        super().requested(message, channel)
        if message["method"] == "tools/call" and self.options.due():
            threading.Timer(self.options.seconds, os._exit, (9,)).start()


class CloseStdout(Server):
    """Closes its stdout in a call and lives on."""

    def call(self, call: Call) -> Message:
        if self.options.due():
            os.close(1)
            self.hang()
        return said("")


FAULTS = {
    "exit-in-call": ExitInCall,
    "exit-in-marked-call": ExitInMarkedCall,
    "exit-after-call": ExitAfterCall,
    "die-on-discover": DieOnDiscover,
    "die-at-start": DieAtStart,
    "die-when-idle": DieWhenIdle,
    "close-stdout": CloseStdout,
}
