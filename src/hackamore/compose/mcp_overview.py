"""All configured servers at a glance: where each stands, how it is reached, and how it is."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hackamore.compose.mcp_use import Place
from hackamore.core.json import JSONObject
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.server import ServerStatus

UNAPPROVED: Final = "unapproved"
"""The state of a server of the project that the person has not agreed to."""
DISABLED: Final = "disabled"
INVALID: Final = "invalid"
"""The state of a server whose entry cannot be used."""


@dataclass(frozen=True, slots=True)
class Glance:
    """One server.

    Attributes:
        name: As configured.
        transport: ``stdio``, ``http``, ``sse``, ``http or sse``; "" when that cannot be told.
        reached: Its command or address; variables by their names.
        source: Where it is configured.
        state: That of its connection, or ``disabled``, ``unapproved``, ``invalid``.
        detail: Why it is not ready, and what to do; may be empty.
        tools: How many it offers, once connected.
        protocol: The revision spoken, once connected.
    """

    name: str
    transport: str
    reached: str
    source: str
    state: str
    detail: str = ""
    tools: int | None = None
    protocol: str | None = None

    def as_json(self) -> JSONObject:
        """Return it for programs."""
        return {
            "name": self.name,
            "transport": self.transport,
            "reached": self.reached,
            "source": self.source,
            "state": self.state,
            "detail": self.detail,
            "tools": self.tools,
            "protocol": self.protocol,
        }


def overview(place: Place, statuses: Mapping[str, ServerStatus]) -> list[Glance]:
    """Return all servers in the order of configuration, those that cannot be used at the end."""
    found: list[Glance] = []
    for entry in place.config.entries:
        found.append(_glance(place, entry, statuses.get(entry.name)))
        heir = place.heir(entry) if place.waits_for_consent(entry) else None
        if heir is not None:
            found.append(_glance(place, heir, statuses.get(entry.name)))
    known = {one.name for one in found}
    for problem in place.config.problems:
        if problem.server and not problem.warning and problem.server not in known:
            known.add(problem.server)
            words = f"{problem.key}: {problem.message}" if problem.key else problem.message
            found.append(Glance(problem.server, "", "", problem.source, INVALID, words))
    return found


def reached(entry: ServerEntry) -> str:
    """Return a server's command or address for people: variables by their names."""
    if entry.written is None:
        return entry.url or shlex.join((entry.command, *entry.args))
    return entry.written.url or shlex.join(entry.written.command)


def _glance(place: Place, entry: ServerEntry, status: ServerStatus | None) -> Glance:
    about = (entry.name, _shown_transport(entry), reached(entry), entry.source)
    if entry.disabled:
        return Glance(*about, DISABLED)
    if place.waits_for_consent(entry):
        words = (
            "it came with the project, and nobody has agreed to it yet. To be asked, run "
            f"`hackamore mcp tools {entry.name}` in a terminal."
        )
        return Glance(*about, UNAPPROVED, words)
    if status is None:
        return Glance(*about, "idle")
    return Glance(*about, status.state, status.error or "", status.tools, status.protocol)


def _shown_transport(entry: ServerEntry) -> str:
    return "http or sse" if entry.transport == "probe" else entry.transport
