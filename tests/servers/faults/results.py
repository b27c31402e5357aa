"""Servers whose results are unusual, or wrong."""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from servers.faults.options import Options
from servers.faults.server import ECHO, Call, Message, RefusedError, Server, said

_BLOCKS: Final[list[Any]] = [
    {"type": "text", "text": "first"},
    {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "mimeType": "image/gif"},
    {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
    {"type": "resource_link", "uri": "file:///a.txt", "name": "a.txt"},
    {"type": "resource", "resource": {"uri": "file:///b.txt", "text": "inside b"}},
    {"type": "resource", "resource": {"uri": "file:///c.bin", "blob": "AAECAw=="}},
]
_STRANGE: Final[list[Any]] = [
    {"type": "text", "text": "first"},
    {"type": "hologram", "data": "AAAA", "depth": 3},
    {"type": "text"},
    {"text": "has no type"},
    "not even an object",
    {"type": "text", "text": "last"},
]
_OUTCOMES: Final[Mapping[str, Message]] = {
    "all-blocks": {"content": _BLOCKS},
    "unknown-blocks": {"content": _STRANGE},
    "structured-list": {"content": [], "structuredContent": [1, {"two": 2}, None]},
    "structured-only": {"structuredContent": {"answer": 42}},
    "error-result": said("The city does not exist.") | {"isError": True},
    "no-result": {},
}


class Fixed(Server):
    """Answers each call with the same result."""

    def __init__(self, options: Options, outcome: Message) -> None:
        super().__init__(options)
        self._outcome = outcome

    def call(self, call: Call) -> Message:
        return self._outcome


class OutputMismatch(Server):
    """Gives structured content against the tool's own output schema."""

    def tools(self) -> list[Any]:
        schema = {
            "type": "object",
            "properties": {"temperature": {"type": "number"}},
            "required": ["temperature"],
        }
        return [ECHO | {"outputSchema": schema}]

    def call(self, call: Call) -> Message:
        return said("text") | {"structuredContent": {"temperature": "warm"}}


class ErrorReply(Server):
    """A protocol error with data instead of a result; `count` is its code."""

    def call(self, call: Call) -> Message:
        raise RefusedError(self.options.count or -32000, "Out of coffee.", {"cups": 0})


class Environment(Server):
    """Says its environment and working directory."""

    def call(self, call: Call) -> Message:
        lines = [f"{name}={value}" for name, value in sorted(os.environ.items())]
        return said("\n".join([*lines, f"cwd: {Path.cwd()}"]))


FAULTS = {
    **{name: partial(Fixed, outcome=outcome) for name, outcome in _OUTCOMES.items()},
    "output-mismatch": OutputMismatch,
    "error-reply": ErrorReply,
    "environment": Environment,
}
