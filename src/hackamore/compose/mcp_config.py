"""What a program gives as configuration of MCP servers: a file, a mapping, an address."""

from collections.abc import Mapping
from pathlib import Path

from hackamore.compose.mcp_files import read_small_file, why_unreadable
from hackamore.core.errors import ConfigError
from hackamore.mcp.config import parse_servers, read_servers
from hackamore.mcp.entry import ServerConfig


def read_config(
    config: str | Path | Mapping[str, object], variables: Mapping[str, str]
) -> ServerConfig:
    """Read a configuration that the caller names; nobody is asked for consent to it.

    Raises:
        ConfigError: The file cannot be read, or there are no servers and the reason is known.
    """
    workspace = str(Path.cwd())
    if isinstance(config, Mapping):
        found = read_servers(
            config, source="the given mapping", variables=variables, workspace=workspace
        )
    else:
        path = Path(config)
        try:
            text = read_small_file(path)
        except (OSError, UnicodeError) as error:
            raise ConfigError(f"{path} cannot be read: {why_unreadable(error)}") from error
        found = parse_servers(text, source=str(path), variables=variables, workspace=workspace)
    if not found.entries and any(not problem.server for problem in found.problems):
        raise ConfigError(str(found.problems[0]))
    return found


def read_one(
    server: str | Mapping[str, object], name: str, variables: Mapping[str, str]
) -> ServerConfig:
    """Read the entry of one server, or its address alone.

    Raises:
        ConfigError: It cannot be used; says why.
    """
    entry = {"url": server} if isinstance(server, str) else server
    found = read_config({"mcpServers": {name: entry}}, variables)
    if not found.entries:
        raise ConfigError("; ".join(map(str, found.problems)))
    return found
