"""Looks at everything that MCP servers depend on, and says what to do where it is wrong."""

import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from hackamore.compose.mcp_files import McpFile, places_of, read_mcp_file
from hackamore.compose.mcp_json import phases_json
from hackamore.compose.mcp_use import Place
from hackamore.core.events import Event, ServerLogged
from hackamore.core.json import JSON, JSONObject
from hackamore.mcp.arguments import ArgumentCheck
from hackamore.mcp.entry import ServerEntry, waits_at_start
from hackamore.mcp.server import ServerStatus
from hackamore.mcp.servers import Servers
from hackamore.mcp.surroundings import server_environment
from hackamore.mcp.tool import McpTool

Verdict: TypeAlias = Literal["ok", "note", "broken"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        about: A file, or a server's name.
        verdict: ``broken`` is what has to be mended.
        what: What was found.
        todo: What to do about it; may be empty.
        phases: How long opening took, where it was opened.
    """

    about: str
    verdict: Verdict
    what: str
    todo: str = ""
    phases: JSON = None

    def as_json(self) -> JSONObject:
        """Return it for programs."""
        return {
            "about": self.about,
            "verdict": self.verdict,
            "what": self.what,
            "todo": self.todo,
            "phases": self.phases,
        }


def look_at_files(place: Place) -> Iterator[Finding]:
    """Yield what there is to say of each file that may hold servers."""
    for file in places_of(place.environment, place.workspace, place.files):
        yield from _file(file, place)


def look_at_entries(place: Place) -> Iterator[Finding]:
    """Yield what can be said of the servers before anything is started."""
    for entry in place.config.entries:
        if entry.disabled:
            yield Finding(entry.name, "note", f"it is disabled in {entry.source}")
        elif place.waits_for_consent(entry):
            todo = f"Run `hackamore mcp tools {entry.name}` in a terminal to be asked."
            yield Finding(entry.name, "note", "you have not agreed to it yet", todo)
        elif entry.command:
            yield _command(entry, place)
    for entry in place.config.shadowed:
        words = f"it stands in {entry.source} too; the first one counts"
        yield Finding(entry.name, "note", words)


async def look_at_servers(place: Place, servers: Servers, told: Sequence[Event]) -> list[Finding]:
    """Connect all servers at once and return what there is to say of each.

    Args:
        place: Where they are configured.
        servers: Not yet connected.
        told: What servers say; it grows meanwhile.
    """
    tools = await servers.tools()
    statuses = servers.status()
    findings: list[Finding] = []
    for entry in servers.entries:
        name, status = entry.name, statuses[entry.name]
        if entry.disabled or not _has_command(entry, place):
            continue
        findings.append(_connection(name, status))
        findings += _slowness(entry, status)
        findings += await _login(place, entry)
        findings += [
            Finding(name, "note", event.text)
            for event in told
            if isinstance(event, ServerLogged) and event.server == name and event.level == "warning"
        ]
        findings += [one for tool in tools if tool.spec.server == name for one in _tool(tool)]
    return findings


def _file(file: McpFile, place: Place) -> Iterator[Finding]:
    if not file.path.exists():
        yield Finding(file.source, "ok", "there is none")
        return
    config = read_mcp_file(file, place.environment, place.workspace)
    names = ", ".join(entry.name for entry in config.entries)
    broken = any(not problem.server and not problem.warning for problem in config.problems)
    if not broken:
        yield Finding(file.source, "ok", f"servers: {names or 'none that can be used'}")
    for problem in config.problems:
        where = " → ".join(part for part in (problem.server, problem.key) if part)
        words = f"{where}: {problem.message}" if where else problem.message
        yield Finding(file.source, "note" if problem.warning else "broken", words)


def in_order(findings: Sequence[Finding], place: Place) -> list[Finding]:
    """Return the findings with those of one server together."""
    names = [entry.name for entry in place.config.entries]
    return sorted(findings, key=lambda one: names.index(one.about) if one.about in names else -1)


def _found_command(entry: ServerEntry, place: Place) -> str | None:
    environment = server_environment(place.environment.variables, entry.env)
    return shutil.which(entry.command, path=environment.get("PATH"))


def _has_command(entry: ServerEntry, place: Place) -> bool:
    return not entry.command or _found_command(entry, place) is not None


def _command(entry: ServerEntry, place: Place) -> Finding:
    found = _found_command(entry, place)
    if found is None:
        todo = f"Install it, or write its whole path into {entry.source}."
        return Finding(entry.name, "broken", f"there is no command {entry.command!r}", todo)
    return Finding(entry.name, "ok", f"its command is {found}")


def _connection(name: str, status: ServerStatus) -> Finding:
    if status.state != "ready" or status.phases is None:
        return Finding(name, "broken", status.error or f"it is {status.state}")
    start = f"start {_ms(status.phases.start)}, " if status.phases.start is not None else ""
    offered = "1 tool" if status.tools == 1 else f"{status.tools} tools"
    words = (
        f"it speaks revision {status.protocol} and offers {offered} ({start}handshake "
        f"{_ms(status.phases.handshake)}, list {_ms(status.phases.listing)})"
    )
    return Finding(name, "ok", words, phases=phases_json(status.phases))


def _slowness(entry: ServerEntry, status: ServerStatus) -> Iterator[Finding]:
    if status.state == "ready" and status.phases is not None:
        took = (status.phases.start or 0.0) + status.phases.handshake + status.phases.listing
        if took > waits_at_start(entry):
            words = f"it took {took:.2f} s, more than the {waits_at_start(entry):g} s a run waits"
            todo = "Its tools come later in a run; raise its `startupWait` to wait for them."
            yield Finding(entry.name, "note", words, todo)


async def _login(place: Place, entry: ServerEntry) -> list[Finding]:
    if not place.logins.applies_to(entry):
        return []
    store = place.logins.store_for(entry)
    if await store.get_tokens() is None:
        return []
    ends = store.ends()
    until = "" if ends is None else f", until {_time(ends)} or as long as it can be renewed"
    return [Finding(entry.name, "ok", f"you are logged in{until}")]


def _tool(tool: McpTool) -> Iterator[Finding]:
    about, name = tool.spec.server or "", tool.listed.name
    if tool.listed.hides:
        words = f"the words of the tool {name!r} hold characters that nobody can see"
        yield Finding(about, "note", words, "They are taken out; ask yourself why they are there.")
    if tool.listed.mended:
        parts = ", ".join(tool.listed.mended)
        yield Finding(about, "note", f"of the tool {name!r} was left out what is wrong: {parts}")
    if not ArgumentCheck(tool.listed.schema).works:
        words = f"the schema of the tool {name!r} is no JSON Schema; its arguments are not checked"
        yield Finding(about, "note", words)


def _ms(seconds: float | None) -> str:
    return f"{(seconds or 0.0) * 1000:.0f} ms"


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def count(findings: Sequence[Finding]) -> Mapping[Verdict, int]:
    """Return how many findings there are of each kind."""
    kinds: tuple[Verdict, ...] = ("ok", "note", "broken")
    return {kind: sum(one.verdict == kind for one in findings) for kind in kinds}
