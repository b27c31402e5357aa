"""`MCPClient`: one MCP server, for programs that await and for programs that do not."""

from collections.abc import Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from langchain_core.documents.base import Blob
from langchain_core.messages import BaseMessage
from langchain_core.tools import BaseTool

from hackamore.compose.environment import read_environment
from hackamore.compose.mcp_config import read_one
from hackamore.compose.mcp_servers import MCPServers
from hackamore.compose.mcp_settings import McpOptions, McpSettings
from hackamore.core.entered import Entered
from hackamore.core.json import JSONObject
from hackamore.core.tools import Tool, ToolOutput
from hackamore.mcp.server import ServerStatus

T = TypeVar("T")


class MCPClient(Entered):
    """One server with two faces: plain methods from any thread, and their twins that await.

    Nothing is connected before the first use. Its tools keep their own names.

    Args:
        server: The address of an HTTP server, or an entry such as ``{"command": "…"}``.
        name: What to call it, in errors and events.
        **options: See `McpSettings`.

    Raises:
        ConfigError: The entry cannot be used.
    """

    def __init__(
        self,
        server: str | Mapping[str, object],
        *,
        name: str = "server",
        **options: Unpack[McpOptions],
    ) -> None:
        config = read_one(server, name, read_environment(Path.cwd()).variables)
        self._name = name
        self._servers = MCPServers.of(config, McpSettings(**options), bare=True)

    async def alist_tools(self) -> list[Tool]:
        """Return its tools.

        Raises:
            MCPError: The server cannot be had.
        """
        await self._servers.connect(self._name)
        return await self._servers.tools()

    async def ato_langchain_tools(self) -> list[BaseTool]:
        """Return its tools for LangChain.

        Raises:
            MCPError: The server cannot be had.
        """
        await self._servers.connect(self._name)
        return await self._servers.langchain_tools()

    async def acall_tool(self, name: str, args: JSONObject) -> ToolOutput:
        """Call a tool; see `MCPServers.call_tool`."""
        return await self._servers.call_tool(self._name, name, args)

    async def aread_resource(self, uri: str) -> list[Blob]:
        """Return what a resource holds."""
        return await self._servers.read_resource(self._name, uri)

    async def aget_prompt(
        self, name: str, args: Mapping[str, str] | None = None
    ) -> list[BaseMessage]:
        """Return a prompt as messages."""
        return await self._servers.get_prompt(self._name, name, args)

    async def aclose(self) -> None:
        """End the connection and the process."""
        await self._servers.close()

    def list_tools(self) -> list[Tool]:
        """Return its tools; see `alist_tools`."""
        return self._sync(self.alist_tools())

    def to_langchain_tools(self) -> list[BaseTool]:
        """Return its tools for LangChain; see `ato_langchain_tools`."""
        return self._sync(self.ato_langchain_tools())

    def call_tool(self, name: str, args: JSONObject) -> ToolOutput:
        """Call a tool; see `MCPServers.call_tool`."""
        return self._sync(self.acall_tool(name, args))

    def read_resource(self, uri: str) -> list[Blob]:
        """Return what a resource holds."""
        return self._sync(self.aread_resource(uri))

    def get_prompt(self, name: str, args: Mapping[str, str] | None = None) -> list[BaseMessage]:
        """Return a prompt as messages."""
        return self._sync(self.aget_prompt(name, args))

    def close(self) -> None:
        """End the connection and the process."""
        self._sync(self.aclose())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def status(self) -> ServerStatus:
        """How the server is."""
        return self._servers.status()[self._name]

    @property
    def instructions(self) -> str | None:
        """What the server says of itself for a model, once connected."""
        return self._servers.instructions().get(self._name)

    def _sync(self, work: Coroutine[Any, Any, T]) -> T:
        return self._servers.run_sync(work)
