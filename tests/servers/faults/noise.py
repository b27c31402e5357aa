"""Servers whose stdout carries more than messages."""

import json
import sys
from typing import Final

from servers.faults.server import Call, Channel, Message, Server, said

_MEGABYTE: Final = 1024 * 1024
_LONG: Final = 20 * _MEGABYTE
_ENDLESS: Final = 1024 * _MEGABYTE


class NoiseLines(Server):
    """Prints lines that are no messages before the first and between all messages."""

    def reply(self, channel: Channel, number: int | str, reply: Message) -> None:
        channel.write(b'starting up...\n{not json}\n\n[1, 2]\n"text"\n42\n{"a": 1}\n')
        super().reply(channel, number, reply)


class NoiseBeforeReply(Server):
    """Prints a progress mark without a line end just before the answer to a call."""

    def reply(self, channel: Channel, number: int | str, reply: Message) -> None:
        if "content" in reply.get("result", {}) and self.options.due():
            channel.write(b"loading... ")
        super().reply(channel, number, reply)


class BadText(Server):
    """Sends a text result that is not UTF-8."""

    def reply(self, channel: Channel, number: int | str, reply: Message) -> None:
        message = {"jsonrpc": "2.0", "id": number, **reply}
        channel.send(message, json.dumps(message).encode().replace(b"BAD", b"caf\xe9 \xff\xfe"))

    def call(self, call: Call) -> Message:
        return said("BAD end")


class BadNoise(Server):
    """Prints lines of bytes that are not UTF-8."""

    def reply(self, channel: Channel, number: int | str, reply: Message) -> None:
        channel.write(b"\xff\xfe\x80 caf\xe9 \xc3\n")
        super().reply(channel, number, reply)


class LongResult(Server):
    """Answers a call with one line of `count` bytes, 20 MB by default."""

    def call(self, call: Call) -> Message:
        return said("x" * (self.options.count or _LONG))


class LongNoise(Server):
    """Prints one line of noise of `count` bytes, 20 MB by default, before the answer to a call."""

    def call(self, call: Call) -> Message:
        call.channel.write(b"x" * (self.options.count or _LONG) + b"\n")
        return super().call(call)


class Endless(Server):
    """Prints without a line end in a call, up to 1 GB or until nobody reads."""

    def call(self, call: Call) -> Message:
        for _ in range(self.options.count or _ENDLESS // _MEGABYTE):
            call.channel.write(b"x" * _MEGABYTE)
        return super().call(call)


class StderrFlood(Server):
    """Writes `count` bytes to stderr, 10 MB by default, then answers."""

    def call(self, call: Call) -> Message:
        line = b"stderr " * 20 + b"\n"
        for _ in range((self.options.count or 10 * _MEGABYTE) // len(line)):
            sys.stderr.buffer.write(line)
        sys.stderr.buffer.flush()
        return super().call(call)


FAULTS = {
    "noise-lines": NoiseLines,
    "noise-before-reply": NoiseBeforeReply,
    "bad-text": BadText,
    "bad-noise": BadNoise,
    "long-result": LongResult,
    "long-noise": LongNoise,
    "endless": Endless,
    "stderr-flood": StderrFlood,
}
