"""Servers whose list of tools is large, broken or restless."""

import threading
import time
from typing import Any, Final

from servers.faults.server import ECHO, LONGEST_LIFE, Call, Channel, Message, Server

_SCHEMA: Final[Message] = {"type": "object", "properties": {}}
_ADDED: Final[Message] = {"name": "added", "description": "Came later.", "inputSchema": _SCHEMA}
_MANY: Final = 10_000
_BAD: Final[list[Any]] = [
    {"name": "no_schema"},
    {"name": "schema_is_text", "inputSchema": "object"},
    {"name": "schema_is_list", "inputSchema": [1]},
    {"description": "has no name", "inputSchema": _SCHEMA},
    {"name": 7, "inputSchema": _SCHEMA},
    {"name": "", "inputSchema": _SCHEMA},
    {"name": "description_is_number", "description": 3.5, "inputSchema": _SCHEMA},
    {"name": "unknown_type", "inputSchema": {"type": "object", "properties": {"a": {"type": 4}}}},
    {"name": "annotations_are_text", "annotations": "safe", "inputSchema": _SCHEMA},
    "not even an object",
    None,
]


class TwoPages(Server):
    """Lists its tools on two pages."""

    def list_tools(self, cursor: str | None) -> Message:
        if cursor is None:
            return {"tools": [ECHO], "nextCursor": "second"}
        return {"tools": [_ADDED]}


class RepeatingCursor(Server):
    """Gives the same page with the same cursor for ever."""

    def list_tools(self, cursor: str | None) -> Message:
        return {"tools": [ECHO], "nextCursor": "again"}


class EndlessPages(Server):
    """Gives new pages with new cursors for ever."""

    def list_tools(self, cursor: str | None) -> Message:
        number = int(cursor or 0) + 1
        return {"tools": [ECHO | {"name": f"tool_{number}"}], "nextCursor": str(number)}


class BadTools(Server):
    """Lists broken tools among two good ones."""

    def tools(self) -> list[Any]:
        return [ECHO, *_BAD, _ADDED]


class SameName(Server):
    """Lists two tools of one name."""

    def tools(self) -> list[Any]:
        return [ECHO, ECHO | {"description": "The second one."}]


class ManyTools(Server):
    """Lists `count` tools, 10,000 by default."""

    def tools(self) -> list[Any]:
        return [ECHO | {"name": f"tool_{number}"} for number in range(self.options.count or _MANY)]


class ListChanged(Server):
    """Has one tool more after the first call, and says so."""

    changed = False

    def tools(self) -> list[Any]:
        return [ECHO, _ADDED] if self.changed else [ECHO]

    def call(self, call: Call) -> Message:
        if not self.changed:
            self.changed = True
            self.tell(call.channel, "notifications/tools/list_changed")
        return super().call(call)


class ListChangedStorm(Server):
    """Says `count` times a second, 100 by default, that its list has changed."""

    def notified(self, message: Message) -> None:
        super().notified(message)
        if message["method"] == "notifications/initialized":
            threading.Thread(target=self._storm, args=(self.loose,), daemon=True).start()

    def _storm(self, channel: Channel | None) -> None:
        rate = self.options.count or 100
        for _ in range(rate * LONGEST_LIFE):
            self.tell(channel, "notifications/tools/list_changed")
            time.sleep(1 / rate)


class ListFails(Server):
    """Lists once; after that, listing is an error."""

    listed = False

    def list_tools(self, cursor: str | None) -> Message:
        if self.listed:
            return {"tools": "none"}
        self.listed = True
        return super().list_tools(cursor)


FAULTS = {
    "two-pages": TwoPages,
    "repeating-cursor": RepeatingCursor,
    "endless-pages": EndlessPages,
    "bad-tools": BadTools,
    "same-name": SameName,
    "many-tools": ManyTools,
    "list-changed": ListChanged,
    "list-changed-storm": ListChangedStorm,
    "list-fails": ListFails,
}
