"""Whether a session has MCP servers at all; only then is anything heavy loaded for them."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hackamore.compose.environment import Environment
from hackamore.compose.mcp_consent import Consents, consented
from hackamore.compose.mcp_files import read_mcp_files
from hackamore.compose.mcp_state import consents_file
from hackamore.compose.options import Options
from hackamore.core.config import McpConfig
from hackamore.core.events import Emit, Warned
from hackamore.core.host import Host, Nobody
from hackamore.core.model import Model
from hackamore.core.tools import Tool
from hackamore.mcp.entry import EntryProblem, ServerEntry

if TYPE_CHECKING:
    from hackamore.compose.live_servers import LiveServers


@dataclass(frozen=True, slots=True)
class SessionServers:
    """The servers of a session, if it has any.

    Attributes:
        entries: As configured.
        problems: What is wrong with the configuration, when there is no server.
        live: The servers, or None when there is none.
    """

    entries: Sequence[ServerEntry] = ()
    problems: Sequence[EntryProblem] = ()
    live: "LiveServers | None" = None

    @property
    def instructions(self) -> tuple[tuple[str, str], ...]:
        """What the servers say of themselves, by server."""
        return () if self.live is None else self.live.instructions

    def answer_with(self, model: Model) -> None:
        """Have `model` answer what servers ask a model, where that is allowed."""
        if self.live is not None:
            self.live.answer_with(model)

    async def begin(self, emit: Emit) -> None:
        """Begin a run."""
        if self.live is not None:
            await self.live.begin(emit)
        for problem in self.problems if self.live is None else ():
            emit(Warned(f"MCP configuration: {problem}"))

    async def tools(self) -> list[Tool]:
        """Return what the servers offer now."""
        return [] if self.live is None else await self.live.tools()

    def end(self) -> None:
        """End a run."""
        if self.live is not None:
            self.live.end()


@asynccontextmanager
async def open_servers(
    options: Options, environment: Environment, host: Host, how: McpConfig
) -> AsyncGenerator[SessionServers, None]:
    """Find the servers of a workspace, ask where that is needed, and end them at the end.

    Args:
        options: Name the workspace, and files of servers.
        environment: Where more of them are.
        host: Whom to ask.
        how: What the configuration says of servers in general.

    Raises:
        UsageError: A file that was named is not there.
    """
    found = read_mcp_files(environment, options.workspace, options.mcp)
    consents = Consents(consents_file(environment), options.workspace)
    config = await consented(found, consents, host if how.consent == "ask" else Nobody())
    config = replace(config, entries=tuple(_waiting(entry, how) for entry in config.entries))
    if not config.entries:
        yield SessionServers(problems=config.problems)
        return
    from hackamore.compose.live_servers import live_servers

    async with live_servers(config, environment, host, options, how) as live:
        yield SessionServers(config.entries, config.problems, live)


def _waiting(entry: ServerEntry, how: McpConfig) -> ServerEntry:
    """Return an entry with the configured waiting time, unless it has its own."""
    if how.startup_wait is None or entry.startup_wait is not None:
        return entry
    return replace(entry, startup_wait=how.startup_wait)
