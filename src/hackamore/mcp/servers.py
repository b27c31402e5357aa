"""Many servers as one: opened together, each on its own account."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from hackamore.core.codes import Code
from hackamore.core.content import Content
from hackamore.core.errors import HackamoreError, MCPError, UsageError
from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolContext, ToolOutput, failure
from hackamore.mcp.catalog import ListedTool
from hackamore.mcp.entry import EntryProblem, ServerConfig, ServerEntry
from hackamore.mcp.hooks import Hooks, guarded
from hackamore.mcp.names import bare_name, public_name
from hackamore.mcp.opening import Around
from hackamore.mcp.reading import complete, get_prompt, list_prompts, list_resources, read_resource
from hackamore.mcp.server import McpServer, ServerStatus
from hackamore.mcp.shapes import Completion, PromptInfo, PromptText, ResourceInfo
from hackamore.mcp.tool import McpTool

T = TypeVar("T")


class Servers:
    """All configured servers. They live in the event loop that first uses them.

    Attributes:
        problems: What was wrong in the configuration.
    """

    def __init__(
        self,
        config: ServerConfig,
        around: Around,
        hooks: Hooks | None = None,
        *,
        max_reconnects: int = 3,
        bare: bool = False,
    ) -> None:
        self.problems: tuple[EntryProblem, ...] = config.problems
        hooks = hooks or Hooks()
        hooks = replace(hooks, tell=guarded(hooks.tell))
        self._servers = {
            entry.name: McpServer(entry, hooks, around, max_reconnects) for entry in config.entries
        }
        self._bare = bare
        self._made: dict[tuple[str, str], McpTool] = {}

    @property
    def entries(self) -> tuple[ServerEntry, ...]:
        """The configured servers."""
        return tuple(server.entry for server in self._servers.values())

    async def open(self) -> None:
        """Connect all servers at once.

        Raises:
            MCPError: One that is required cannot be had; the others are left connected.
        """
        servers = self._usable()
        results = await asyncio.gather(
            *(server.open() for server in servers), return_exceptions=True
        )
        for server, result in zip(servers, results, strict=True):
            if isinstance(result, BaseException) and (
                server.entry.required or not isinstance(result, HackamoreError)
            ):
                raise result

    async def close(self) -> None:
        """End all servers at once."""
        await asyncio.gather(*(server.close() for server in self._servers.values()))

    async def tools(
        self, *, refresh: bool = False, wait: Callable[[ServerEntry], float] | None = None
    ) -> list[McpTool]:
        """Return the tools of all servers that can be had, in the order of configuration.

        Args:
            refresh: Read the lists anew.
            wait: Seconds to wait for a server; one that takes longer joins later. None waits
                for each as long as connecting may take.
        """
        await asyncio.gather(*(self._list(server, refresh, wait) for server in self._usable()))
        return self.known_tools()

    def known_tools(self) -> list[McpTool]:
        """Return the tools that were listed last, without waiting."""
        found: dict[str, McpTool] = {}
        for server in self._usable():
            for listed in server.tools or ():
                tool = self._tool(server, listed)
                found.setdefault(tool.spec.name, tool)
        return list(found.values())

    def _tool(self, server: McpServer, listed: ListedTool) -> McpTool:
        """Return a listed tool; the same one as long as its server describes it the same."""
        key = (server.entry.name, listed.name)
        tool = self._made.get(key)
        if tool is None or (tool.listed is not listed and tool.listed != listed):
            tool = self._made[key] = McpTool(server, listed, self._name(server, listed))
        return tool

    async def settled(self, seconds: float) -> None:
        """Wait for refreshes that servers asked for, but no longer than `seconds`."""
        waiting = [asyncio.ensure_future(server.settled()) for server in self._usable()]
        if waiting:
            _, late = await asyncio.wait(waiting, timeout=seconds)
            for task in late:
                task.cancel()

    async def call(
        self, server: str, tool: str, arguments: JSONObject, context: ToolContext
    ) -> ToolOutput:
        """Call a tool by its server's and its own name.

        Raises:
            UsageError: There is no such server, or the arguments do not fit.
            MCPError: The server is gone, late, or refused.
        """
        found = await self.find(server, tool)
        if found is None:
            known = ", ".join(one.name for one in self._server(server).tools or ())
            words = f"The MCP server {server!r} has no tool {tool!r}. It has: {known or 'none'}."
            return failure(words, Code.UNKNOWN_TOOL)
        return await found.run(arguments, context)

    async def run(self, tool: McpTool, arguments: JSONObject, context: ToolContext) -> ToolOutput:
        """Call a tool, which may come from servers that are no longer there."""
        name = tool.spec.server or ""
        if tool.belongs_to(self._servers.get(name)):
            return await tool.run(arguments, context)
        return await self.call(name, tool.listed.name, arguments, context)

    async def connect(self, server: str) -> None:
        """Connect one server, and have it listed.

        Raises:
            MCPError: It cannot be had.
        """
        await self._server(server).open()

    async def find(self, server: str, tool: str) -> McpTool | None:
        """Return a tool, asking its server once more when it is not known.

        Raises:
            UsageError: There is no such server.
            MCPError: The server cannot be had.
        """
        owner = self._server(server)
        for attempt in range(2):
            if owner.tools is None or attempt:
                await owner.refresh()
            if (listed := owner.by_name.get(tool)) is not None:
                return self._tool(owner, listed)
        return None

    async def resources(self, server: str | None = None) -> list[ResourceInfo]:
        """Return the resources and templates of one server, or of all that can be had."""
        return await self._gathered(server, list_resources)

    async def read_resource(self, server: str, uri: str) -> tuple[Content, ...]:
        """Return what a resource holds; the server reads it, never this machine."""
        return await read_resource(self._server(server), uri)

    async def prompts(self, server: str | None = None) -> list[PromptInfo]:
        """Return the prompts of one server, or of all that can be had."""
        return await self._gathered(server, list_prompts)

    async def get_prompt(
        self, server: str, name: str, arguments: Mapping[str, str]
    ) -> list[PromptText]:
        """Return a prompt's messages."""
        return await get_prompt(self._server(server), name, arguments)

    async def complete(
        self, server: str, ref: Completion, context: Mapping[str, str] | None = None
    ) -> list[str]:
        """Return what could complete an argument of a prompt or of a resource template."""
        return await complete(self._server(server), ref, context)

    async def subscribe(self, server: str, uri: str, told: Callable[[str, str], None]) -> None:
        """Have `told` called with server and URI when a resource changes.

        Raises:
            MCPError: The server does not offer that.
        """
        await self._server(server).subscribe(uri, lambda changed: told(server, changed))

    def status(self) -> dict[str, ServerStatus]:
        """Return how each server is; those that could not be read from the configuration too."""
        found = {name: server.status for name, server in self._servers.items()}
        for problem in self.problems:
            if problem.server and problem.server not in found:
                words = f"{problem.key}: {problem.message}" if problem.key else problem.message
                found[problem.server] = ServerStatus("failed", words, None, None, problem.source)
        return found

    def instructions(self) -> dict[str, str]:
        """Return what connected servers say of themselves for a model."""
        return {
            name: server.instructions
            for name, server in self._servers.items()
            if server.instructions
        }

    def _name(self, server: McpServer, listed: ListedTool) -> str:
        if self._bare:
            return bare_name(listed.name)
        return public_name(server.entry.name, listed.name)

    def _usable(self) -> list[McpServer]:
        return [server for server in self._servers.values() if server.usable]

    def _server(self, name: str) -> McpServer:
        if name not in self._servers:
            known = ", ".join(self._servers) or "none"
            raise UsageError(f"There is no MCP server {name!r}. Configured: {known}.")
        return self._servers[name]

    async def _list(
        self,
        server: McpServer,
        refresh: bool,  # handed on
        wait: Callable[[ServerEntry], float] | None,
    ) -> None:
        """Have one server listed, as far as that can be done in time."""
        if server.tools is not None and not refresh:
            return
        task = asyncio.ensure_future(server.refresh())
        task.add_done_callback(_noted)
        limit = None if wait is None else wait(server.entry)
        await asyncio.wait({task}, timeout=limit)

    async def _gathered(
        self,
        server: str | None,
        ask: Callable[[McpServer], Coroutine[Any, Any, list[T]]],
    ) -> list[T]:
        if server is not None:
            return await ask(self._server(server))
        results = await asyncio.gather(
            *(ask(one) for one in self._usable()), return_exceptions=True
        )
        return [one for found in _lists(results) for one in found]


def _lists(results: Iterable[list[T] | BaseException]) -> Iterable[list[T]]:
    for result in results:
        if isinstance(result, MCPError):
            continue
        if isinstance(result, BaseException):
            raise result
        yield result


def _noted(task: "asyncio.Future[None]") -> None:
    """Take note of a failure; the server's status tells it."""
    if not task.cancelled():
        task.exception()
