"""What an echo server offers and answers, and the log of what reached it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hackamore.core.json import JSON, JSONObject

ECHO: Final[JSONObject] = {
    "name": "echo",
    "description": "Say the text back.",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
    },
}


@dataclass(frozen=True, slots=True)
class Script:
    """What a server says.

    Attributes:
        tools: What it advertises, as it stands, however broken.
        results: What a call of a tool gives, by the tool's name; others say their arguments.
        page_size: Tools on a page of the list; 0 puts all on one.
        wire_log: A file that gets each call as a line of JSON: ``name`` and ``arguments``.
        strict: Refuse every request that comes before ``notifications/initialized``.
    """

    tools: Sequence[JSON] = (ECHO,)
    results: Mapping[str, JSON] = field(default_factory=dict[str, JSON])
    page_size: int = 0
    wire_log: Path | None = None
    strict: bool = False

    def page(self, cursor: str | None) -> JSONObject:
        """Return one page of the tools."""
        first = int(cursor or 0)
        end = first + (self.page_size or len(self.tools))
        more: JSONObject = {"nextCursor": str(end)} if end < len(self.tools) else {}
        return {"tools": list(self.tools[first:end]), **more}

    def result(self, name: str, arguments: JSON) -> JSON:
        """Note a call and return its result."""
        if self.wire_log is not None:
            with self.wire_log.open("a", encoding="utf-8") as log:
                log.write(json.dumps({"name": name, "arguments": arguments}) + "\n")
        if name in self.results:
            return self.results[name]
        return {"content": [{"type": "text", "text": _said(name, arguments)}], "isError": False}


def _said(name: str, arguments: JSON) -> str:
    """Return the text of a bare ``echo``, or the whole call as JSON."""
    if name == "echo" and isinstance(arguments, dict) and set(arguments) == {"text"}:
        return str(arguments["text"])
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
