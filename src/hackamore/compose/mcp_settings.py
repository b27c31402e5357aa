"""The settings that `MCPServers` and `MCPClient` share, and the servers that they make."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import httpx2

from hackamore.compose.environment import Environment
from hackamore.compose.mcp_state import logins_folder
from hackamore.core.events import Event
from hackamore.langchain.interception import Interceptor
from hackamore.mcp.entry import ServerConfig, ServerEntry
from hackamore.mcp.hooks import Elicit, Hooks, Sample
from hackamore.mcp.oauth import Logins, OpenBrowser
from hackamore.mcp.opening import Around
from hackamore.mcp.servers import Servers


class McpOptions(TypedDict, total=False):
    """The keyword arguments of `MCPServers` and `MCPClient`; see `McpSettings`."""

    refresh_on_run: bool
    max_reconnects: int
    on_event: Callable[[Event], None] | None
    on_elicitation: Elicit | None
    on_sampling: Sample | None
    token_store: Path | None
    open_browser: OpenBrowser | None
    interceptors: Sequence[Interceptor]
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class McpSettings:
    """How servers are used by a program.

    Attributes:
        refresh_on_run: An agent has the lists of tools read anew when a run starts.
        max_reconnects: How often one call may bring its server back.
        on_event: Told of servers that come and go, and of what they log.
        on_elicitation: Answers what a server asks the person; None tells servers that nobody does.
        on_sampling: Answers what a server asks a model; None tells servers that nobody does.
        token_store: Folder of the logins; None is Hackamore's own state.
        open_browser: Shows a login page; None means that nobody can log in.
        interceptors: Functions around each call that is made through LangChain.
        roots: Folders that servers are told of when they ask.
    """

    refresh_on_run: bool = True
    max_reconnects: int = 3
    on_event: Callable[[Event], None] | None = None
    on_elicitation: Elicit | None = None
    on_sampling: Sample | None = None
    token_store: Path | None = None
    open_browser: OpenBrowser | None = None
    interceptors: Sequence[Interceptor] = ()
    roots: tuple[str, ...] = ()

    def servers(self, config: ServerConfig, environment: Environment, *, bare: bool) -> Servers:
        """Make the servers of `config`; nothing is connected yet."""
        hooks = Hooks(elicit=self.on_elicitation, sample=self.on_sampling, roots=self.roots)
        if self.on_event is not None:
            hooks = Hooks(self.on_event, hooks.elicit, hooks.sample, hooks.roots)
        around = Around(environment.variables, None, self._auth(environment))
        return Servers(config, around, hooks, max_reconnects=self.max_reconnects, bare=bare)

    def _auth(self, environment: Environment) -> Callable[[ServerEntry], httpx2.Auth | None]:
        folder = self.token_store or logins_folder(environment)
        return Logins(folder, self.open_browser).auth_for
