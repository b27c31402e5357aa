"""A server that does nothing wrong: the handshake revisions, one tool ``echo``."""

import itertools
import queue
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from servers.faults.options import Options

Message: TypeAlias = dict[str, Any]
LONGEST_LIFE: Final = 120
"""Seconds after which every faulty server ends by itself."""

ECHO: Final[Message] = {
    "name": "echo",
    "description": "Say the text back.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
}


class Channel(Protocol):
    """A way to the client."""

    def send(self, message: Message, encoded: bytes | None = None) -> None:
        """Send a message; `encoded` in place of its JSON."""
        ...

    def write(self, raw: bytes) -> None:
        """Send bytes that are no message."""
        ...


@dataclass(frozen=True)
class Call:
    """A call of a tool, and the way back."""

    id: int | str
    name: str
    arguments: Mapping[str, Any]
    meta: Mapping[str, Any]
    channel: Channel


class RefusedError(Exception):
    """The answer is an error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({"data": data} if data else {})


class Server:
    """Requests may come in threads of their own; what faults override is public."""

    capabilities: Mapping[str, Any] = {"tools": {"listChanged": True}}
    stays = False
    """Whether it lives on when stdin ends."""
    one_at_a_time = False
    """Whether it reads the next message only when it has answered one."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.loose: Channel | None = None
        """Where messages go that belong to no request."""
        self._numbers = itertools.count(1_000_001)
        self._asked: dict[int | str, queue.Queue[Message]] = {}

    def receive(self, message: Message, channel: Channel) -> None:
        """Take a message and do what it asks."""
        if "method" not in message:
            self.answered(message)
        elif "id" not in message:
            self.notified(message)
        else:
            self.requested(message, channel)

    def answered(self, message: Message) -> None:
        """Take the client's answer to a question of ours."""
        self.options.note("answer", message)
        if message.get("id") in self._asked:
            self._asked[message["id"]].put(message)

    def notified(self, message: Message) -> None:
        """Take a notification."""
        self.options.note("notification", message)

    def requested(self, message: Message, channel: Channel) -> None:
        """Answer a request."""
        self.options.note("request", message["method"])
        try:
            reply = {"result": self.result(message, channel)}
        except RefusedError as refused:
            reply = {"error": refused.error}
        self.reply(channel, message["id"], reply)

    def reply(self, channel: Channel, number: int | str, reply: Message) -> None:
        """Send the answer to a request."""
        channel.send({"jsonrpc": "2.0", "id": number, **reply})

    def result(self, message: Message, channel: Channel) -> Message:
        """Return the result of a request."""
        params: Message = message.get("params") or {}
        match message["method"]:
            case "initialize":
                return self.initialize(params)
            case "server/discover":
                return self.discover(params)
            case "tools/list":
                return self.list_tools(params.get("cursor"))
            case "tools/call":
                return self._called(message["id"], params, channel)
            case "ping" | "logging/setLevel":
                return {}
            case other:
                raise RefusedError(-32601, f"Method not found: {other}")

    def initialize(self, params: Message) -> Message:
        """Shake hands."""
        return {
            "protocolVersion": min(params.get("protocolVersion", ""), "2025-11-25"),
            "capabilities": dict(self.capabilities),
            "serverInfo": {"name": "faulty", "version": "1"},
        }

    def discover(self, params: Message) -> Message:
        """Refuse what only the stateless revision has."""
        raise RefusedError(-32601, "Method not found: server/discover")

    def tools(self) -> list[Any]:
        """Return all tools."""
        return [ECHO]

    def list_tools(self, cursor: str | None) -> Message:
        """Return a page of the tools."""
        return {"tools": self.tools()}

    def call(self, call: Call) -> Message:
        """Run a tool."""
        return said(str(call.arguments.get("text", "")))

    def ask(self, channel: Channel, method: str, params: Message) -> Message:
        """Ask the client and return its whole answer.

        Raises:
            queue.Empty: It did not answer.
        """
        return self.ask_as(next(self._numbers), channel, method, params)

    def ask_as(self, number: int | str, channel: Channel, method: str, params: Message) -> Message:
        """Ask the client under an id of one's choice."""
        self._asked[number] = queue.Queue()
        channel.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self._asked[number].get(timeout=LONGEST_LIFE)

    def tell(self, channel: Channel | None, method: str, **params: Any) -> None:
        """Notify the client, where there is a way to it."""
        if channel is not None:
            channel.send({"jsonrpc": "2.0", "method": method, "params": params})

    def hang(self) -> None:
        """Never come back."""
        time.sleep(LONGEST_LIFE)

    def _called(self, number: int | str, params: Message, channel: Channel) -> Message:
        arguments: Message = params.get("arguments") or {}
        self.options.note("call", {"name": params["name"], "arguments": params.get("arguments")})
        meta: Message = params.get("_meta") or {}
        return self.call(Call(number, params["name"], arguments, meta, channel))


def said(text: str) -> Message:
    """Return a tool's result that is a text."""
    return {"content": [{"type": "text", "text": text}], "isError": False}
