"""How tests use servers through Hackamore's own layer, and see that nothing is left of them."""

import asyncio
import os
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from hackamore.core.events import Event, ServerChanged, ServerLogged
from hackamore.core.host import Nobody
from hackamore.core.tools import ToolContext, ToolOutput
from hackamore.mcp.config import read_servers
from hackamore.mcp.entry import ServerConfig
from hackamore.mcp.hooks import Hooks
from hackamore.mcp.opening import Around
from hackamore.mcp.server import ServerStatus
from hackamore.mcp.servers import Servers

MARK: Final = "SERVER_OF_TEST"
"""A variable in the environment of each server under test, and of all that it starts."""
_PATIENCE: Final = 15.0
_LIMITS: Final = {"timeout": 15, "connectTimeout": 15}


@dataclass
class Used:
    """Servers in use by a test.

    Attributes:
        servers: Themselves; the one that faults are tried on is called ``it``.
        mark: Stands in the environment of its processes.
        events: What was told.
    """

    servers: Servers
    mark: str
    events: list[Event] = field(default_factory=list[Event])

    async def call(self, tool: str = "echo", server: str = "it", **arguments: Any) -> ToolOutput:
        """Call a tool."""
        return await self.servers.call(server, tool, arguments or {"text": "hi"}, self.context())

    async def said(self, **arguments: Any) -> str:
        """Return the text of a call of ``echo``, which must succeed."""
        output = await self.call(**arguments)
        assert not output.is_error, output.text
        return output.text

    def context(self, headers: Mapping[str, str] | None = None) -> ToolContext:
        """Return what a call runs in."""
        return ToolContext("call-1", self.events.append, Nobody(), headers or {})

    async def tools(self, *, refresh: bool = False) -> list[str]:
        """Return the names of the tools on their servers."""
        return [tool.listed.name for tool in await self.servers.tools(refresh=refresh)]

    @property
    def status(self) -> ServerStatus:
        """How ``it`` is."""
        return self.servers.status()["it"]

    @property
    def states(self) -> list[str]:
        """The states that were told of."""
        return [event.state for event in self.events if isinstance(event, ServerChanged)]

    @property
    def warnings(self) -> list[str]:
        """The warnings that were told."""
        return [event.text for event in self.events if isinstance(event, ServerLogged)]

    def processes(self) -> list[int]:
        """Return the ids of all processes that belong to these servers."""
        return marked_processes(self.mark)


@asynccontextmanager
async def used(
    command: Sequence[str],
    hooks: Hooks | None = None,
    *,
    max_reconnects: int = 3,
    others: Mapping[str, Any] | None = None,
    **entry: Any,
) -> AsyncGenerator[Used]:
    """Use a stdio server by its command, or an HTTP server by ``[]`` and a ``url``.

    Afterwards no process of it may be left.

    Args:
        command: What starts it.
        hooks: Whom it may ask.
        max_reconnects: See `Servers`.
        others: Entries of other servers.
        **entry: More of its entry.
    """
    mark = uuid.uuid4().hex
    started: dict[str, Any] = (
        {"command": command[0], "args": list(command[1:]), "env": {MARK: mark}} if command else {}
    )
    config = config_of({"it": {**_LIMITS, **started, **entry}, **(others or {})})
    events: list[Event] = []
    heard = replace(hooks or Hooks(), tell=events.append)
    around = Around(os.environ, None, lambda _: None, lambda _: None)
    servers = Servers(config, around, heard, max_reconnects=max_reconnects)
    try:
        yield Used(servers, mark, events)
    finally:
        await servers.close()
    await until(lambda: not marked_processes(mark))


def config_of(entries: Mapping[str, Any]) -> ServerConfig:
    """Return the configuration that `entries` make; all must be right."""
    workspace = str(Path.cwd())
    config = read_servers(
        {"mcpServers": dict(entries)}, source="the test", variables={}, workspace=workspace
    )
    assert not config.problems, config.problems
    return config


def marked_processes(mark: str) -> list[int]:
    """Return the ids of all processes whose environment holds `mark`."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


async def until(true: Callable[[], object], seconds: float = _PATIENCE) -> None:
    """Return as soon as `true()` holds; fail when that takes too long."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110  # what is waited for happens in other processes
            await asyncio.sleep(0.01)
