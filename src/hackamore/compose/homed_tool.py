"""A server's tool that can be called from anywhere, also after its server was opened anew."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from hackamore.compose.home import Home
from hackamore.core.changes import FileChange
from hackamore.core.events import Event
from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, Touch
from hackamore.mcp.servers import Servers
from hackamore.mcp.tool import McpTool


class HomedTool:
    """Takes each call to where the servers live."""

    def __init__(self, tool: McpTool, home: Home[Servers]) -> None:
        self._tool = tool
        self._home = home

    @property
    def spec(self) -> ToolSpec:
        """What models are told."""
        return self._tool.spec

    def touches(self, arguments: JSONObject) -> Touch:
        """Check the arguments; see `McpTool.touches`."""
        return self._tool.touches(arguments)

    async def run(self, arguments: JSONObject, context: ToolContext) -> ToolOutput:
        """Call the tool; see `McpTool.run`."""
        servers = self._home.here()
        if servers is not None:
            return await servers.run(self._tool, arguments, context)
        afar = replace(context, emit=_from_afar(context.emit))
        return await self._home.use(lambda there: there.run(self._tool, arguments, afar))

    async def preview(self, arguments: JSONObject) -> tuple[FileChange, ...]:
        """Return nothing; see `McpTool.preview`."""
        return await self._tool.preview(arguments)


def _from_afar(emit: Callable[[Event], None]) -> Callable[[Event], None]:
    """Return `emit` for another thread: watchers are told in the loop that they wait in."""
    loop = asyncio.get_running_loop()

    def tell(event: Event) -> None:
        loop.call_soon_threadsafe(emit, event)

    return tell
