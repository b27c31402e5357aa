"""The MCP servers of a command: found, agreed to, made, and ended with it."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from hackamore.compose.environment import Environment, read_environment
from hackamore.compose.mcp_consent import Consents, consented, needs_consent
from hackamore.compose.mcp_files import read_mcp_files
from hackamore.compose.mcp_state import consents_file, logins_folder
from hackamore.compose.settings import read_config
from hackamore.core.errors import ConfigError, NotAllowed, UsageError
from hackamore.core.events import Event
from hackamore.core.host import Host, Nobody
from hackamore.mcp.entry import ServerConfig, ServerEntry
from hackamore.mcp.hooks import Hooks
from hackamore.mcp.oauth import Logins, OpenBrowser
from hackamore.mcp.opening import Around
from hackamore.mcp.servers import Servers


@dataclass(frozen=True, slots=True)
class Outside:
    """Whom a command asks and tells.

    Attributes:
        host: The person.
        present: They are there.
        tell: Takes what servers do and say.
        open_page: Shows a login page; None where no login is to begin.
    """

    host: Host
    present: bool
    tell: Callable[[Event], None]
    open_page: OpenBrowser | None = None


class Place:
    """The servers that are configured for a project, before anything of them is started.

    Args:
        workspace: The project's root.
        files: Files that were named.

    Raises:
        UsageError: A file that was named is not there.
    """

    def __init__(self, workspace: Path, files: Sequence[Path]) -> None:
        self.workspace = workspace
        self.files = files
        self.environment: Environment = read_environment(workspace)
        self.config: ServerConfig = read_mcp_files(self.environment, workspace, files)
        self.logins = Logins(logins_folder(self.environment))
        self._consents = Consents(consents_file(self.environment), workspace)

    def waits_for_consent(self, entry: ServerEntry) -> bool:
        """Tell whether the person has not yet agreed to a server of the project."""
        return needs_consent(entry, self._consents)

    def entry(self, name: str) -> ServerEntry:
        """Return one server.

        Raises:
            ConfigError: It cannot be used as it is configured.
            UsageError: There is no such server, or it is disabled.
        """
        found = next((entry for entry in self.config.entries if entry.name == name), None)
        if found is None:
            wrong = [str(one) for one in self.config.problems if one.server == name]
            if wrong:
                raise ConfigError("; ".join(wrong))
            known = ", ".join(entry.name for entry in self.config.entries) or "none"
            raise UsageError(
                f"There is no MCP server {name!r}. Configured: {known}.",
                hint="`hackamore mcp add` adds one.",
            )
        if found.disabled:
            raise UsageError(f"The MCP server {name!r} is disabled in {found.source}.")
        return found

    async def agreed(self, name: str | None, host: Host) -> ServerConfig:
        """Return the named server, or all, after asking about those of the project.

        Raises:
            NotAllowed: The person did not agree to the one that was named.
            UsageError: There is no such server, or it is disabled.
        """
        if read_config(self.environment, self.workspace).mcp.consent == "refuse":
            host = Nobody()
        if name is None:
            return await consented(self.config, self._consents, host)
        entry = self.entry(name)
        config = await consented(_alone(self.config, entry), self._consents, host)
        if config.entries[0].disabled:
            raise NotAllowed("; ".join(str(one) for one in config.problems if not one.warning))
        return config

    def ready(self) -> ServerConfig:
        """Return the servers that can be used without asking; the others are disabled."""
        entries = tuple(
            self.heir(entry) or replace(entry, disabled=True)
            if self.waits_for_consent(entry)
            else entry
            for entry in self.config.entries
        )
        return replace(self.config, entries=entries)

    def heir(self, entry: ServerEntry) -> ServerEntry | None:
        """Return the server that counts while the person has not agreed to `entry`."""
        named = (one for one in self.config.shadowed if one.name == entry.name)
        return next((one for one in named if not self.waits_for_consent(one)), None)

    @asynccontextmanager
    async def use(self, config: ServerConfig, outside: Outside) -> AsyncGenerator[Servers, None]:
        """Make the servers of `config`; each is connected when it is first used."""
        logins = replace(self.logins, open_browser=outside.open_page)
        workspace = str(self.workspace)
        around = Around(self.environment.variables, workspace, logins.auth_for)
        elicit = outside.host.elicit if outside.present else None
        servers = Servers(config, around, Hooks(outside.tell, elicit, roots=(workspace,)))
        try:
            yield servers
        finally:
            await servers.close()


def _alone(config: ServerConfig, entry: ServerEntry) -> ServerConfig:
    """Return a configuration of one server and of those that would take its place."""
    heirs = tuple(one for one in config.shadowed if one.name == entry.name)
    return ServerConfig((entry,), shadowed=heirs)
