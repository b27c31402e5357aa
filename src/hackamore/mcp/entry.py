"""What is configured of one MCP server, checked and with its defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

TransportKind: TypeAlias = Literal["stdio", "http", "sse", "probe"]
"""``probe``: Streamable HTTP, or HTTP+SSE when the server answers that with a 4xx."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a person may see of an entry: what would run, with variables by their names.

    ``${workspaceFolder}`` and defaults stand filled in; a variable of the environment stays
    ``${NAME}``, since its value may be a secret.

    Attributes:
        command: The program and its arguments; () for an HTTP server.
        cwd: Its working directory; None is the workspace.
        env: What is added to its environment.
        url: Where an HTTP server listens.
        headers: Sent with each request to it.
    """

    command: tuple[str, ...] = ()
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """What an authorization server knows us as, where it does not let clients register themselves.

    Attributes:
        client_id: As registered by hand; "" registers by itself.
        client_secret: Belongs to it; may be empty.
        issuer: The only authorization server that may see them; "" is any.
        scope: What to ask for, with spaces between; "" is what the server asks for.
        port: Where on this machine the browser comes back to; 0 is any.
    """

    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    issuer: str = ""
    scope: str = ""
    port: int = 0


STARTUP_WAIT: Final = 3.0
"""Seconds that the first model request of a run waits for a server that does not say it."""


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """One server.

    Attributes:
        name: As configured; unique.
        transport: How it is reached.
        command: The program of a stdio server.
        args: Its arguments.
        env: Added to the few variables that a server is given.
        cwd: Its working directory; None is the workspace.
        url: Where an HTTP server listens.
        headers: Sent with each request to it.
        oauth: How we log in to it, where it wants that.
        disabled: Neither started nor offered.
        timeout: Seconds that a call may take.
        connect_timeout: Seconds that connecting may take, and listing its tools after that.
        startup_wait: Seconds that the first model request of a run waits for it; None is what holds
            for all (`STARTUP_WAIT`).
        auto_approve: Tools (their names on the server) that need no asking.
        include: The only tools offered, or None for all; patterns with ``*``.
        exclude: Tools that are not offered; patterns with ``*``.
        required: Explicit opening fails when it cannot be had.
        protocol: ``auto``, ``legacy``, or the date of a revision.
        trust: Its annotations (read-only, idempotent) are believed.
        source: Where it is configured, for people.
        project: The source came with the project, so that the person's consent is needed.
        written: The same for a person's eyes; None when the entry was not read from a source.
    """

    name: str
    transport: TransportKind = "stdio"
    command: str = ""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    oauth: OAuthClient = OAuthClient()
    disabled: bool = False
    timeout: float = 60.0
    connect_timeout: float = 30.0
    startup_wait: float | None = None
    auto_approve: frozenset[str] = frozenset()
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    required: bool = False
    protocol: str = "auto"
    trust: bool = False
    source: str = ""
    project: bool = False
    written: Written | None = None


def waits_at_start(entry: ServerEntry) -> float:
    """Return how many seconds the first model request of a run waits for a server."""
    return STARTUP_WAIT if entry.startup_wait is None else entry.startup_wait


@dataclass(frozen=True, slots=True)
class EntryProblem:
    """Something wrong in a configuration of servers; the rest of it still counts.

    Attributes:
        source: The file, or what else was given.
        server: The server's name; "" when the file itself is wrong.
        key: The key within the server; "" for the whole.
        message: What is wrong and what to do.
        warning: The server is usable all the same.
    """

    source: str
    server: str
    key: str
    message: str
    warning: bool = False

    def __str__(self) -> str:
        where = " → ".join(part for part in (self.source, self.server, self.key) if part)
        return f"{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The servers of one or more sources.

    Attributes:
        entries: One of each name.
        problems: What was wrong in the sources.
        shadowed: Entries whose name an earlier one has; they count where that one may not.
    """

    entries: tuple[ServerEntry, ...] = ()
    problems: tuple[EntryProblem, ...] = ()
    shadowed: tuple[ServerEntry, ...] = ()
