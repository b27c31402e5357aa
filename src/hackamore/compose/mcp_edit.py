"""Changing the person's own file of MCP servers, and taking servers over from another client's."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hackamore.compose.environment import Environment
from hackamore.compose.mcp_files import read_small_file, user_file, why_unreadable
from hackamore.core.errors import ConfigError, UsageError
from hackamore.mcp.config import read_servers
from hackamore.mcp.entry import EntryProblem
from hackamore.mcp.loose_json import LooseJSONError, parse_loose_json
from hackamore.mcp.private_file import write_private
from hackamore.mcp.servers_text import with_server, without_server
from hackamore.mcp.wrapping import as_mapping, find_servers


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What came over from another client's file.

    Attributes:
        taken: The names of the servers that are now in the person's file.
        left: What could not be taken, or is odd, and why.
    """

    taken: tuple[str, ...]
    left: tuple[EntryProblem, ...]


def add_server(environment: Environment, name: str, entry: Mapping[str, object]) -> Path:
    """Add a server to the person's file and return the file.

    Raises:
        UsageError: The entry is wrong, or there is such a server.
        ConfigError: The file cannot be read, written or understood.
    """
    faults = [str(one) for one in _look_at(name, entry, environment, "") if not one.warning]
    if faults:
        raise UsageError("; ".join(faults))
    path = user_file(environment)
    try:
        text = with_server(_text_of(path), name, entry)
    except ValueError as error:
        raise _not_changed(path, error) from error
    _write(path, text)
    return path


def remove_server(environment: Environment, name: str) -> bool:
    """Take a server out of the person's file; tell whether it was there.

    Raises:
        ConfigError: The file cannot be read, written or understood.
    """
    path = user_file(environment)
    try:
        text = without_server(_text_of(path), name)
    except ValueError as error:
        raise _not_changed(path, error) from error
    if text is not None:
        _write(path, text)
    return text is not None


def take_over(environment: Environment, source: Path) -> TakenOver:
    """Add the servers of another client's file that work here and are not yet there.

    Raises:
        UsageError: The other file cannot be read or holds no servers.
        ConfigError: The person's file cannot be read, written or understood.
    """
    taken: list[str] = []
    left: list[EntryProblem] = []
    for name, raw in _servers_in(source).items():
        told = _look_at(name, raw, environment, str(source))
        left += told
        entry = as_mapping(raw)
        if entry is None or any(not one.warning for one in told):
            continue
        try:
            add_server(environment, name, {str(key): value for key, value in entry.items()})
        except UsageError as error:
            if isinstance(error, ConfigError):
                raise
            left.append(EntryProblem(str(source), name, "", error.message))
        else:
            taken.append(name)
    return TakenOver(tuple(taken), tuple(left))


def _servers_in(source: Path) -> dict[str, object]:
    """Return the entries of a file as they are written there."""
    try:
        root = as_mapping(parse_loose_json(read_small_file(source)))
    except LooseJSONError as error:
        raise UsageError(f"{source} is not JSON: {error}") from error
    except (OSError, UnicodeError) as error:
        raise UsageError(f"{source} cannot be read: {why_unreadable(error)}") from error
    tables = [as_mapping(table) for _, table in find_servers(root or {})]
    found = {str(name): raw for table in tables for name, raw in (table or {}).items()}
    if not found:
        raise UsageError(f'{source} holds no servers under "mcpServers" or "servers".')
    return found


def _look_at(
    name: str, raw: object, environment: Environment, source: str
) -> tuple[EntryProblem, ...]:
    """Return what is wrong with an entry. Any workspace will do: the entry is kept as written."""
    config = read_servers(
        {"mcpServers": {name: raw}},
        source=source,
        variables=environment.variables,
        workspace="/",
    )
    return config.problems


def _text_of(path: Path) -> str:
    try:
        return read_small_file(path)
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"{path} cannot be read: {why_unreadable(error)}") from error


def _write(path: Path, text: str) -> None:
    """Replace the file, or what it links to, by one that only its owner may read."""
    try:
        write_private(path.resolve(), text)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {why_unreadable(error)}") from error


def _not_changed(path: Path, error: ValueError) -> UsageError:
    if isinstance(error, LooseJSONError):
        return ConfigError(f"{path} is not JSON: {error}", hint="Mend it first.")
    return UsageError(f"{path} is as it was: {error}.")
