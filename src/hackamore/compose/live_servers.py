"""The MCP servers of a session: found, consented to, and part of each step's outfit."""

from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import mcp_types as types

from hackamore.compose.environment import Environment
from hackamore.compose.mcp_state import logins_folder
from hackamore.compose.options import Options
from hackamore.compose.sampling import Sampler
from hackamore.core.config import McpConfig
from hackamore.core.events import Emit, Event, Warned
from hackamore.core.host import Host
from hackamore.core.model import Model
from hackamore.core.tools import Tool
from hackamore.mcp.entry import EntryProblem, ServerConfig, waits_at_start
from hackamore.mcp.hooks import Hooks
from hackamore.mcp.oauth import Logins
from hackamore.mcp.opening import Around
from hackamore.mcp.resource_tool import AccessMcpResource
from hackamore.mcp.servers import Servers
from hackamore.mcp.visible import visible
from hackamore.tools.use_mcp_tool import UseMcpTool

_SETTLING = 1.0
_KEPT_EVENTS = 200


class LiveServers:
    """Servers in use by one session; events of theirs go to whichever run goes on.

    Args:
        config: The servers.
        around: What opening them needs.
        host: The person.
        workspace: The folder that servers are told of.
        how: What the configuration says of servers in general.
    """

    def __init__(  # the five things that meet here
        self, config: ServerConfig, around: Around, host: Host, workspace: Path, how: McpConfig
    ) -> None:
        hooks = Hooks(
            tell=self._tell,
            elicit=host.elicit,
            sample=self._sample if how.sampling == "ask" else None,
            roots=(str(workspace),),
        )
        self._servers = Servers(config, around, hooks)
        self._problems: Sequence[EntryProblem] = config.problems
        self._host = host
        self._sampler: Sampler | None = None
        self._wrapped = how.xml == "wrapped"
        self._emit: Emit | None = None
        self._begun: deque[Event] = deque(maxlen=_KEPT_EVENTS)

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
        self._begun.clear()
        await self._servers.tools(refresh=True, wait=waits_at_start)

    async def tools(self) -> list[Tool]:
        """Return what the servers offer now; changes that they announced are taken in first."""
        await self._servers.settled(_SETTLING)
        known: list[Tool] = [*self._servers.known_tools()]
        wrapper = [UseMcpTool(self._names)] if self._wrapped else []
        return [*known, *wrapper, AccessMcpResource(self._servers)]

    def answer_with(self, model: Model) -> None:
        """Have `model` answer what servers ask a model, where the configuration allows that."""
        self._sampler = Sampler(model, self._host)

    async def close(self) -> None:
        """End all servers."""
        await self._servers.close()

    def _names(self) -> str:
        known = (tool.spec for tool in self._servers.known_tools())
        return ", ".join(f"{spec.server_tool} on {spec.server}" for spec in known) or "none"

    async def _sample(
        self, server: str, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult | types.ErrorData:
        if self._sampler is None:
            return types.ErrorData(code=types.INVALID_REQUEST, message="No model answers here.")
        return await self._sampler(server, params)

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
    config: ServerConfig, environment: Environment, host: Host, options: Options, how: McpConfig
) -> AsyncGenerator[LiveServers, None]:
    """Make the servers of a session; they are started when a run begins, and ended here."""
    logins = Logins(logins_folder(environment), options.open_page)
    workspace = options.workspace
    around = Around(environment.variables, str(workspace), logins.auth_for)
    servers = LiveServers(config, around, host, workspace, how)
    try:
        yield servers
    finally:
        await servers.close()
