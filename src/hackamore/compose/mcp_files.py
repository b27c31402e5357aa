"""The files in which MCP servers are configured: where they are looked for, and in what order.

Files in the project come with the code one opens: they are read as something foreign, and what
stands in them needs the person's consent (see `compose.mcp_consent`).
"""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hackamore.compose.environment import Environment
from hackamore.core.errors import UsageError
from hackamore.mcp.config import merge, parse_servers
from hackamore.mcp.entry import EntryProblem, ServerConfig

PROJECT_FILES: Final = (".hackamore/mcp.json", ".mcp.json", ".vscode/mcp.json")
_LARGEST: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class McpFile:
    """A place to look: `source` is its name for people, `project` that it came with the code."""

    path: Path
    source: str
    project: bool = False


def user_file(environment: Environment) -> Path:
    """Return where the person's own servers are configured."""
    return environment.config / "mcp.json"


def read_mcp_files(
    environment: Environment, workspace: Path, named: Sequence[Path] = ()
) -> ServerConfig:
    """Read all files that there are: the named ones, the project's, the person's own.

    Later ones add; the same name in an earlier one wins. What is wrong with a file or an entry is
    among the problems of the result.

    Args:
        environment: Where the person's own file is, and the variables.
        workspace: The project's root.
        named: Files that the caller named; nobody is asked for consent to them.

    Raises:
        UsageError: There is no such named file.
    """
    missing = next((path for path in named if not path.is_file()), None)
    if missing is not None:
        raise UsageError(f"There is no file {str(missing)!r}.", hint="See --mcp.")
    places = places_of(environment, workspace, named)
    return merge(read_mcp_file(place, environment, workspace) for place in places)


def places_of(
    environment: Environment, workspace: Path, named: Sequence[Path] = ()
) -> list[McpFile]:
    """Return where servers may be configured, the place that wins first."""
    own = user_file(environment)
    return [
        *(McpFile(path, str(path)) for path in named),
        *(McpFile(workspace / name, name, project=True) for name in PROJECT_FILES),
        McpFile(own, str(own)),
    ]


def read_mcp_file(place: McpFile, environment: Environment, workspace: Path) -> ServerConfig:
    """Read one file; one that is not there, or empty, holds no servers.

    An empty file may stand there for a while to keep commands from writing one.
    """
    try:
        text = read_small_file(place.path)
    except FileNotFoundError:
        return ServerConfig()
    except (OSError, UnicodeError) as error:
        problem = EntryProblem(place.source, "", "", f"cannot be read: {why_unreadable(error)}")
        return ServerConfig(problems=(problem,))
    if not text.strip():
        return ServerConfig()
    return parse_servers(
        text,
        source=place.source,
        variables=environment.variables,
        workspace=str(workspace),
        project=place.project,
    )


def read_small_file(path: Path) -> str:
    """Read a text file that may be anything: a pipe, a device, without end.

    Raises:
        OSError: It is no ordinary file, too large, or not to be had.
        UnicodeDecodeError: It is not UTF-8.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is no ordinary file")
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(f"it is larger than {_LARGEST // 1024} KiB")
    return data.decode("utf-8")


def why_unreadable(error: OSError | UnicodeError) -> str:
    """Say why a file could not be read."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return "it is not UTF-8; save it as UTF-8"
