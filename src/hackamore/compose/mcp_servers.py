"""`MCPServers`: the MCP servers of a configuration, for Python programs that await."""

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, Self, TypeVar, Unpack

from langchain_core.documents.base import Blob
from langchain_core.messages import BaseMessage
from langchain_core.tools import BaseTool

from hackamore.compose.environment import read_environment
from hackamore.compose.home import Home
from hackamore.compose.homed_tool import HomedTool
from hackamore.compose.mcp_config import read_config
from hackamore.compose.mcp_settings import McpOptions, McpSettings
from hackamore.core.content import BlobResource, TextResource
from hackamore.core.entered import Entered
from hackamore.core.host import Nobody
from hackamore.core.ids import new_id
from hackamore.core.json import JSONObject
from hackamore.core.tools import Tool, ToolContext, ToolOutput
from hackamore.langchain.prompt_messages import prompt_message
from hackamore.langchain.resources import blobs
from hackamore.langchain.tools import as_langchain_tool
from hackamore.mcp.entry import EntryProblem, ServerConfig, ServerEntry, waits_at_start
from hackamore.mcp.server import ServerStatus
from hackamore.mcp.servers import Servers
from hackamore.mcp.shapes import Completion, PromptInfo, ResourceInfo

T = TypeVar("T")


class MCPServers(Entered):
    """MCP servers, from a file or a mapping like what stands in one.

    Entering connects nothing: the first use of a server does, and `open` connects all. It can be
    used from any event loop and thread; a loop that ends takes its connections along, and the next
    use makes new ones.

    Args:
        config: A file, or a mapping such as ``{"mcpServers": {"time": {"command": "…"}}}``.
        **options: See `McpSettings`.

    Raises:
        ConfigError: The file cannot be read, or holds no servers.
    """

    def __init__(
        self, config: str | Path | Mapping[str, object], **options: Unpack[McpOptions]
    ) -> None:
        variables = read_environment(Path.cwd()).variables
        self._begin(read_config(config, variables), McpSettings(**options), bare=False)

    @classmethod
    def of(cls, config: ServerConfig, settings: McpSettings, *, bare: bool) -> Self:
        """Return the servers of a configuration that was read already.

        Args:
            config: The servers.
            settings: How they are used.
            bare: Tools keep their own names: there is only one server.
        """
        servers = cls.__new__(cls)
        servers._begin(config, settings, bare=bare)
        return servers

    def _begin(self, config: ServerConfig, settings: McpSettings, *, bare: bool) -> None:
        environment = read_environment(Path.cwd())
        self.settings = settings
        self._config = config
        self._home = Home(
            lambda: settings.servers(config, environment, bare=bare), lambda it: it.close()
        )

    @property
    def entries(self) -> tuple[ServerEntry, ...]:
        """The configured servers."""
        return self._config.entries

    @property
    def problems(self) -> tuple[EntryProblem, ...]:
        """What was wrong in the configuration; the other servers work."""
        return self._config.problems

    async def open(self) -> None:
        """Connect all servers at once.

        Raises:
            MCPError: One that is marked ``required`` cannot be had.
        """
        await self._home.use(lambda servers: servers.open())

    async def connect(self, server: str) -> None:
        """Connect one server.

        Raises:
            MCPError: It cannot be had.
        """
        await self._home.use(lambda servers: servers.connect(server))

    async def close(self) -> None:
        """End all connections and processes."""
        await self._home.close()

    async def aclose(self) -> None:
        """End all connections and processes; the same as `close`."""
        await self.close()

    async def tools(
        self, refresh: bool = False, wait: float | None = None
    ) -> list[Tool]:  # the contract's own form
        """Return the tools of all servers that can be had.

        Args:
            refresh: Read the lists anew.
            wait: Seconds; what is not ready by then joins later. None waits for each server as
                long as its `connectTimeout`.
        """
        limit: Callable[[ServerEntry], float] | None = None if wait is None else lambda _: wait
        found = await self._home.use(lambda servers: servers.tools(refresh=refresh, wait=limit))
        return [HomedTool(tool, self._home) for tool in found]

    async def begin_run(self) -> None:
        """Have the tools listed for a run of an agent; each server has its `startupWait`."""
        refresh = self.settings.refresh_on_run
        await self._home.use(lambda servers: servers.tools(refresh=refresh, wait=waits_at_start))

    def known_tools(self) -> list[Tool]:
        """Return the tools that were listed last, without waiting."""
        return [HomedTool(tool, self._home) for tool in self._looked_at().known_tools()]

    async def langchain_tools(
        self,
        refresh: bool = False,
        wait: float | None = None,  # the contract's own form
    ) -> list[BaseTool]:
        """Return the same tools for LangChain; see `tools`."""
        return [
            as_langchain_tool(tool, runner=self._home, interceptors=self.settings.interceptors)
            for tool in await self.tools(refresh, wait)
        ]

    async def call_tool(self, server: str, tool: str, args: JSONObject) -> ToolOutput:
        """Call a tool by the names that it has itself.

        Raises:
            UsageError: There is no such server, or the arguments do not fit.
            MCPError: The server is gone, late, or refused.
        """
        context = ToolContext(new_id("call"), _unheard, Nobody(), watched=False)
        return await self._home.use(lambda servers: servers.call(server, tool, args, context))

    async def resources(self, server: str | None = None) -> list[ResourceInfo]:
        """Return the resources and templates of one server, or of all."""
        return await self._home.use(lambda servers: servers.resources(server))

    async def read_resource(self, server: str, uri: str) -> list[Blob]:
        """Return what a resource holds, as LangChain's blobs."""
        parts = await self._home.use(lambda servers: servers.read_resource(server, uri))
        return blobs([part for part in parts if isinstance(part, TextResource | BlobResource)])

    async def prompts(self, server: str | None = None) -> list[PromptInfo]:
        """Return the prompts of one server, or of all."""
        return await self._home.use(lambda servers: servers.prompts(server))

    async def get_prompt(
        self, server: str, name: str, args: Mapping[str, str] | None = None
    ) -> list[BaseMessage]:
        """Return a prompt as LangChain's messages."""
        given = args or {}
        messages = await self._home.use(lambda servers: servers.get_prompt(server, name, given))
        return [prompt_message(message.role, [message.content]) for message in messages]

    async def complete(self, server: str, what: Completion) -> list[str]:
        """Return what could complete an argument of a prompt or of a resource template."""
        return await self._home.use(lambda servers: servers.complete(server, what))

    async def subscribe(self, server: str, uri: str, told: Callable[[str, str], None]) -> None:
        """Have `told` called with server and URI when a resource changes."""
        await self._home.use(lambda servers: servers.subscribe(server, uri, told))

    def run_sync(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` with these servers for a caller that cannot await, from any thread."""
        return self._home.run_sync(work)

    def status(self) -> dict[str, ServerStatus]:
        """Return how each server is."""
        return self._looked_at().status()

    def instructions(self) -> dict[str, str]:
        """Return what connected servers say of themselves for a model."""
        return self._looked_at().instructions()

    def _looked_at(self) -> Servers:
        return self._home.occupant


def _unheard(event: object) -> None:
    """Take the progress of a call that nobody watches."""
    del event
