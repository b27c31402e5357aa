"""The person's consent to MCP servers that a project brings along.

Such a server runs with the person's rights, so nothing of it is started or contacted before the
person has seen what that would be and said yes. The yes holds for this folder and for exactly this
entry: whatever changes in it is asked again. Values of the environment are neither shown nor part
of what is agreed to: a variable stands there by its name.
"""

import hashlib
import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from hackamore.core.approval import ApprovalRequest
from hackamore.core.effects import Effect
from hackamore.core.host import Host
from hackamore.core.ids import new_id
from hackamore.core.json import JSON
from hackamore.mcp.entry import EntryProblem, ServerConfig, ServerEntry, Written
from hackamore.mcp.private_file import write_private

_PLAIN: Final = re.compile(r"[\w@%+=:,./${}-]+", re.ASCII)
_SECRET: Final = re.compile(r"key|token|secret|(?<!ask)pass|auth|credential|cookie", re.IGNORECASE)


class Consents:
    """What the person has agreed to, kept in a file. A file that makes no sense agrees to nothing.

    Args:
        path: The file.
        workspace: The folder that the consents are for.
    """

    def __init__(self, path: Path, workspace: Path) -> None:
        self._path = path
        self._workspace = str(workspace)

    def granted(self, entry: ServerEntry) -> bool:
        """Tell whether the person has agreed to exactly this entry."""
        return self._hash(entry) in self._read()

    def grant(self, entry: ServerEntry) -> None:
        """Remember that the person agrees.

        Raises:
            OSError: The file cannot be written.
        """
        about = {"server": entry.name, "source": entry.source, "workspace": self._workspace}
        granted = {**self._read(), self._hash(entry): about}
        write_private(self._path, json.dumps({"granted": granted}, indent=2) + "\n")

    def _hash(self, entry: ServerEntry) -> str:
        meaning = json.dumps([self._workspace, *_meaning(entry)], sort_keys=True)
        return hashlib.sha256(meaning.encode()).hexdigest()

    def _read(self) -> dict[str, object]:
        try:
            found: object = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        granted = cast(dict[str, object], found).get("granted") if isinstance(found, dict) else None
        return cast(dict[str, object], granted) if isinstance(granted, dict) else {}


async def consented(config: ServerConfig, consents: Consents, host: Host) -> ServerConfig:
    """Ask for each server that came with the project; one without a yes is disabled, with a word.

    Where an entry of the same name stands in a later file, that one then takes its place.

    Args:
        config: The servers.
        consents: What was agreed to before.
        host: Whom to ask.
    """
    entries: list[ServerEntry] = []
    problems = list(config.problems)
    for entry in config.entries:
        heirs = [one for one in config.shadowed if one.name == entry.name]
        for candidate in (entry, *heirs):
            agreed, told = await _agreed(candidate, consents, host)
            problems += told
            if agreed:
                entries.append(candidate)
                break
        else:
            entries.append(replace(entry, disabled=True))
    return ServerConfig(tuple(entries), tuple(problems), config.shadowed)


def needs_consent(entry: ServerEntry, consents: Consents) -> bool:
    """Tell whether the person has to be asked before `entry` is used."""
    return entry.project and not entry.disabled and not consents.granted(entry)


async def _agreed(
    entry: ServerEntry, consents: Consents, host: Host
) -> tuple[bool, list[EntryProblem]]:
    """Return whether an entry may be used, after asking where that is needed, and what to tell."""
    if not needs_consent(entry, consents):
        return True, []
    decision = await host.approve(_question(entry))
    if decision.allowed:
        return True, _remember(consents, entry)
    return False, [_refused(entry, decision.note)]


def _remember(consents: Consents, entry: ServerEntry) -> list[EntryProblem]:
    """Keep the yes; when that fails it holds for now, and is asked again next time."""
    try:
        consents.grant(entry)
    except OSError as error:
        words = f"your yes could not be kept ({error.strerror or error}); it is asked again"
        return [EntryProblem(entry.source, entry.name, "", words, warning=True)]
    return []


def _refused(entry: ServerEntry, note: str) -> EntryProblem:
    why = f" ({note.strip()})" if note.strip() else ""
    words = (
        f"is off: it came with the project, and nobody agreed to it{why}. To be asked, run "
        f"`hackamore mcp tools {entry.name}` in a terminal; a file named with --mcp is not asked "
        "about."
    )
    return EntryProblem(entry.source, entry.name, "", words)


def _question(entry: ServerEntry) -> ApprovalRequest:
    written = _written(entry)
    if written.url:
        title = f"Connect to {written.url} as the MCP server {entry.name}"
        effect, doing = Effect.NETWORK, "connect to this MCP server"
    else:
        title = f"Start the MCP server {entry.name}"
        effect, doing = (
            Effect.RUN,
            "start this MCP server, outside the sandbox and with your rights",
        )
    return ApprovalRequest(
        id=new_id("approval"),
        call_id="",
        tool="mcp",
        title=title,
        effect=effect,
        arguments=_arguments(entry, written),
        reason=f"{entry.name}: this project's file {entry.source} wants to {doing}."
        f"{_further(entry, written)} A yes holds in this folder until the entry changes.",
        command=_command_line(written) if written.command else None,
    )


def _further(entry: ServerEntry, written: Written) -> str:
    """Say what else a yes would mean."""
    words = ""
    if written.headers:
        shown = ", ".join(f"{name}: {_masked(name, written.headers)}" for name in written.headers)
        words += f" Each request carries {shown}."
    if entry.auto_approve:
        words += f" These tools would run unasked: {', '.join(sorted(entry.auto_approve))}."
    if entry.oauth.client_id:
        words += f" A login would be made as the client {entry.oauth.client_id}"
        words += f" for {entry.oauth.scope}." if entry.oauth.scope else "."
    if "${" in repr(written):
        words += " What stands as ${NAME} is taken from your environment."
    if entry.trust:
        words += " What the server says of its tools' harmlessness would be believed."
    return words


def _arguments(entry: ServerEntry, written: Written) -> Mapping[str, JSON]:
    return {
        "server": entry.name,
        "source": entry.source,
        "cwd": written.cwd,
        "url": written.url or None,
        "env": sorted(written.env),
        "headers": sorted(written.headers),
        "autoApprove": sorted(entry.auto_approve),
        "trust": entry.trust,
    }


def _command_line(written: Written) -> str:
    """Return what would run, as one would type it; secrets written in the file are masked."""
    folder = f"cd {_quoted(written.cwd)} && " if written.cwd else ""
    env = "".join(f"{name}={_quoted(_masked(name, written.env))} " for name in written.env)
    return folder + env + " ".join(map(_quoted, written.command))


def _masked(name: str, table: Mapping[str, str]) -> str:
    value = table[name]
    return "…" if _SECRET.search(name) and "${" not in value else value


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) or word == "…" else shlex.quote(word)


def _meaning(entry: ServerEntry) -> list[JSON]:
    """Return all of an entry that a consent is about."""
    written = _written(entry)
    reached: list[JSON] = [entry.transport, list(written.command), written.cwd, written.url]
    given: list[JSON] = [dict(written.env), dict(written.headers)]
    login: list[JSON] = [
        entry.oauth.client_id,
        entry.oauth.issuer,
        entry.oauth.scope,
        entry.oauth.port,
    ]
    return [entry.name, *reached, *given, *login, sorted(entry.auto_approve), entry.trust]


def _written(entry: ServerEntry) -> Written:
    """Return the entry for a person's eyes; one that was not read from a source shows itself."""
    command = (entry.command, *entry.args) if entry.command else ()
    return entry.written or Written(command, entry.cwd, entry.env, entry.url, entry.headers)
