"""A server's tool as a core `Tool`: checked, called, and its answer in our words."""

from collections.abc import Awaitable

import mcp_types as types
from mcp import Client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from hackamore.core.changes import FileChange
from hackamore.core.effects import Effect
from hackamore.core.events import ToolProgress
from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, Touch
from hackamore.mcp.arguments import ArgumentCheck, result_problem
from hackamore.mcp.callbacks import progress_words
from hackamore.mcp.catalog import ListedTool
from hackamore.mcp.results import output_of
from hackamore.mcp.server import McpServer
from hackamore.mcp.visible import visible


class McpTool:
    """One tool of one server.

    Attributes:
        spec: What models and the policy are told.
        listed: The tool as its server describes it.
    """

    def __init__(self, server: McpServer, listed: ListedTool, name: str) -> None:
        self.listed = listed
        self._server = server
        self._check = ArgumentCheck(listed.schema)
        trusted = server.entry.trust
        self._repeatable = trusted and (listed.read_only or listed.idempotent)
        self.spec = ToolSpec(
            name=name,
            description=listed.description or listed.title or visible(listed.name),
            parameters=listed.schema,
            effect=Effect.READ if trusted and listed.read_only else Effect.RUN,
            server=server.entry.name,
            server_tool=listed.name,
            title=listed.title,
        )

    def belongs_to(self, server: McpServer | None) -> bool:
        """Return whether it is called through `server`."""
        return self._server is server

    def touches(self, arguments: JSONObject) -> Touch:
        """Check the arguments; what a server's tool would touch is not known.

        Raises:
            UsageError: They do not fit the tool's schema.
        """
        self._check.checked(arguments)
        return Touch()

    async def run(self, arguments: JSONObject, context: ToolContext) -> ToolOutput:
        """Call the tool.

        Raises:
            UsageError: The arguments do not fit; nothing was sent.
            MCPError: The server is gone, late, or refused.
        """
        given = self._check.checked(arguments)
        name = self.listed.name

        async def progressed(progress: float, total: float | None, message: str | None) -> None:
            words = progress_words(progress, total, message)
            context.emit(ToolProgress(context.call_id, self.spec.name, f"{words}\n"))

        told = progressed if context.watched else None

        def call(client: Client) -> Awaitable[types.CallToolResult]:
            shakes_hands = client.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS
            caller = client.session if shakes_hands else client  # which knows rounds of questions
            return caller.call_tool(name, given, progress_callback=told)

        result: types.CallToolResult = await self._server.request(
            call, f"the call of {name!r}", repeatable=self._repeatable, headers=context.headers
        )
        return self._judged(output_of(result))

    async def preview(self, arguments: JSONObject) -> tuple[FileChange, ...]:
        """Return nothing: what would change is not known."""
        del arguments
        return ()

    def _judged(self, output: ToolOutput) -> ToolOutput:
        """Warn of structured data that break the tool's own promise; they still count."""
        schema = self.listed.output_schema
        if schema is not None and not output.is_error:
            wrong = (
                "it promises structured content and sent none"
                if output.structured is None
                else result_problem(schema, output.structured)
            )
            if wrong:
                self._server.warn(f"the result of {self.listed.name!r} breaks its schema: {wrong}")
        return output
