"""The one opening through which a recipe reaches the world."""

from typing import Protocol

from hackamore.core.events import Event
from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolOutput


class Hands(Protocol):
    """What acts for a recipe: every call is judged, approved, run and shown like a model's."""

    async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
        """Call a tool by its name."""
        ...

    def emit(self, event: Event) -> None:
        """Tell the watchers something; returns at once."""
        ...
