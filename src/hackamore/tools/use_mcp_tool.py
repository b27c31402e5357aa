"""``use_mcp_tool``: how formats of text call the tools of MCP servers.

A call that names a server and a tool is taken for a call of that tool before it gets here; so what
runs here is only the answer to one that names none.
"""

from collections.abc import Callable

from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, failure
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters


class UseMcpTool(BuiltinTool):
    """Names a server's tool. `known` lists what could be named, for people and models."""

    spec = ToolSpec(
        name="use_mcp_tool",
        description="Call a tool of an MCP server. The servers and their tools are listed below.",
        parameters=parameters(
            {
                "server_name": described("string", "The server, as listed."),
                "tool_name": described("string", "Its tool, as listed."),
                "arguments": described("object", "The tool's arguments, as JSON."),
            },
            ["server_name", "tool_name", "arguments"],
        ),
        effect=Effect.RUN,
        formats=frozenset({"xml"}),
    )

    def __init__(self, known: Callable[[], str]) -> None:
        self._known = known

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Say that there is no such tool, and which there are."""
        del context
        server, tool = arguments.text("server_name"), arguments.text("tool_name")
        words = f"There is no tool {tool!r} on a server {server!r}. There are: {self._known()}."
        return failure(words, Code.UNKNOWN_TOOL)
