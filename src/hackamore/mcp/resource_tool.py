"""``access_mcp_resource``: reads what servers offer besides tools."""

from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, Touch, failure
from hackamore.mcp.results import describe
from hackamore.mcp.servers import Servers


class AccessMcpResource:
    """Reads one resource through its server; nothing is ever opened on this machine for it."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers

    @property
    def spec(self) -> ToolSpec:
        """What models are told."""
        return ToolSpec(
            name="access_mcp_resource",
            description="Read a resource that an MCP server offers, by its URI.",
            parameters={
                "type": "object",
                "properties": {
                    "server_name": {"type": "string", "description": "The server."},
                    "uri": {"type": "string", "description": "The resource's URI."},
                },
                "required": ["server_name", "uri"],
                "additionalProperties": False,
            },
            effect=Effect.NETWORK,
        )

    def touches(self, arguments: JSONObject) -> Touch:
        """Return nothing: no file or command of this machine is touched."""
        del arguments
        return Touch()

    async def run(self, arguments: JSONObject, context: ToolContext) -> ToolOutput:
        """Read it.

        Raises:
            UsageError: There is no such server.
            MCPError: The server has no such resource, or cannot be had.
        """
        del context
        server, uri = arguments.get("server_name"), arguments.get("uri")
        if not isinstance(server, str) or not isinstance(uri, str):
            return failure("server_name and uri are needed, both as text.", Code.INVALID_REQUEST)
        parts = await self._servers.read_resource(server, uri)
        text = "\n".join(describe(part) for part in parts)
        return ToolOutput(text or "(The resource is empty.)", content=parts)

    async def preview(self, arguments: JSONObject) -> tuple[FileChange, ...]:
        """Return nothing: nothing changes."""
        del arguments
        return ()
