"""The MCP servers of a session: found, consented to, and part of each step's outfit."""

import webbrowser
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from hackamore.compose.environment import Environment
from hackamore.core.events import Emit, Event, Warned
from hackamore.core.host import Host
from hackamore.core.tools import Tool
from hackamore.mcp.entry import EntryProblem, ServerConfig
from hackamore.mcp.hooks import Hooks
from hackamore.mcp.oauth import Logins
from hackamore.mcp.opening import Around
from hackamore.mcp.resource_tool import AccessMcpResource
from hackamore.mcp.servers import Servers
from hackamore.mcp.visible import visible
from hackamore.tools.use_mcp_tool import UseMcpTool

_SETTLING = 1.0


class LiveServers:
    """Servers in use by one session; events of theirs go to whichever run goes on."""

    def __init__(self, config: ServerConfig, around: Around, host: Host, workspace: Path) -> None:
        hooks = Hooks(tell=self._tell, elicit=host.elicit, roots=(str(workspace),))
        self._servers = Servers(config, around, hooks)
        self._problems: Sequence[EntryProblem] = config.problems
        self._emit: Emit | None = None
        self._begun: list[Event] = []

    @property
    def instructions(self) -> tuple[tuple[str, str], ...]:
        """What the servers say of themselves for a model, by server."""
        return tuple((name, visible(text)) for name, text in self._servers.instructions().items())

    async def begin(self, emit: Emit) -> None:
        """Begin a run: tell of what is wrong, and give each server its time to be ready."""
        self._emit = emit
        for problem in self._problems:
            emit(Warned(f"MCP configuration: {problem}"))
        self._problems = ()
        for event in self._begun:
            emit(event)
        self._begun = []
        await self._servers.tools(refresh=True, wait=lambda entry: entry.startup_wait)

    async def tools(self) -> list[Tool]:
        """Return what the servers offer now; changes that they announced are taken in first."""
        await self._servers.settled(_SETTLING)
        known: list[Tool] = [*self._servers.known_tools()]
        return [*known, UseMcpTool(self._names), AccessMcpResource(self._servers)]

    async def close(self) -> None:
        """End all servers."""
        await self._servers.close()

    def _names(self) -> str:
        known = (tool.spec for tool in self._servers.known_tools())
        return ", ".join(f"{spec.server_tool} on {spec.server}" for spec in known) or "none"

    def _tell(self, event: Event) -> None:
        if self._emit is None:
            self._begun.append(event)
        else:
            self._emit(event)

    def end(self) -> None:
        """The run is over: keep what comes now for the next one."""
        self._emit = None


@asynccontextmanager
async def live_servers(
    config: ServerConfig, environment: Environment, host: Host, workspace: Path
) -> AsyncGenerator[LiveServers, None]:
    """Make the servers of a session; they are started when a run begins, and ended here."""
    logins = Logins(environment.state / "mcp-logins", webbrowser.open)
    around = Around(environment.variables, str(workspace), logins.auth_for, _unheard)
    servers = LiveServers(config, around, host, workspace)
    try:
        yield servers
    finally:
        await servers.close()


def _unheard(words: str) -> None:
    del words
