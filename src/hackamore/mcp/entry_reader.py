"""One server's entry, from JSON as written to a checked `ServerEntry`.

Pure. Keys that other clients have are passed over; only what looks like a slip of the pen for one
of ours is told.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, cast

from hackamore.mcp.entry import EntryProblem, OAuthClient, ServerEntry, Written
from hackamore.mcp.expansion import Expanded, Surroundings
from hackamore.mcp.fields import Fields
from hackamore.mcp.reaching import (
    KIND_KEYS,
    read_command,
    read_env,
    read_headers,
    read_kind,
    read_url,
)

_KEYS: Final = (
    *("command", "args", "cwd", "env", "url", "headers", *KIND_KEYS),
    *("disabled", "timeout", "connectTimeout", "startupWait", "autoApprove", "alwaysAllow"),
    *("tools", "disabledTools", "required", "protocol", "trust", "oauth"),
)
_OTHERS: Final = (
    *("serverUrl", "httpUrl", "enabled", "includeTools", "excludeTools"),
    *("envFile", "name", "description", "icon", "icons", "gallery", "version", "dev"),
    *("auth", "authProvider", "headersHelper", "session_kwargs", "encoding", "sse_read_timeout"),
)
_PROTOCOL: Final = re.compile(r"auto|legacy|\d{4}-\d{2}-\d{2}", re.ASCII)
_ALIKE: Final = 0.8
_LONGEST_KEY: Final = 40
_LAST_PORT: Final = 65_535
_DEFAULTS: Final = ServerEntry("")


@dataclass(frozen=True, slots=True)
class Origin:
    """What all entries of a source share.

    Attributes:
        source: For people.
        project: It came with the project.
        surroundings: Fills in placeholders.
    """

    source: str
    project: bool
    surroundings: Surroundings


def read_entry(
    name: str, raw: object, origin: Origin
) -> tuple[ServerEntry | None, list[EntryProblem]]:
    """Return the entry, or None when it cannot be used, and what there is to tell."""
    if not isinstance(raw, Mapping):
        problem = EntryProblem(origin.source, name, "", "must be an object with a command or a url")
        return None, [problem]
    fields = Fields(cast(Mapping[str, object], raw), origin.surroundings)
    entry = _read(name, fields, origin)
    _tell_slips(fields)
    spoilt = any(not note.warning for note in fields.notes)
    problems = [
        EntryProblem(origin.source, name, note.key, note.message, note.warning or entry.disabled)
        for note in fields.notes
    ]
    return (None if spoilt else entry), problems


def _read(name: str, fields: Fields, origin: Origin) -> ServerEntry:
    kind = read_kind(fields)
    reached = kind or "stdio"
    local = reached == "stdio"
    command = read_command(fields) if local else ()
    url = Expanded("", "") if local else read_url(fields)
    env = read_env(fields) if local else {}
    headers = {} if local else read_headers(fields)
    cwd = _read_cwd(fields) if local else None
    include, exclude = _read_tools(fields)
    return ServerEntry(
        name=name,
        transport=reached,
        command=command[0].value if command else "",
        args=tuple(arg.value for arg in command[1:]),
        env={key: one.value for key, one in env.items()},
        cwd=cwd.value if cwd else None,
        url=url.value,
        headers={key: one.value for key, one in headers.items()},
        oauth=OAuthClient()
        if local
        else _read_oauth(fields.inner("oauth"), project=origin.project),
        disabled=bool(fields.yes("disabled")) or fields.yes("enabled") is False,
        timeout=fields.seconds("timeout", _DEFAULTS.timeout),
        connect_timeout=fields.seconds("connectTimeout", _DEFAULTS.connect_timeout),
        startup_wait=fields.seconds("startupWait", _DEFAULTS.startup_wait, zero=True),
        auto_approve=frozenset(fields.names("autoApprove") + fields.names("alwaysAllow")),
        include=include,
        exclude=exclude,
        required=bool(fields.yes("required")),
        protocol=_read_protocol(fields),
        trust=bool(fields.yes("trust")),
        source=origin.source,
        project=origin.project,
        written=Written(
            command=tuple(one.shown for one in command),
            cwd=cwd.shown if cwd else None,
            env={key: one.shown for key, one in env.items()},
            url=url.shown,
            headers={key: one.shown for key, one in headers.items()},
        ),
    )


def _read_cwd(fields: Fields) -> Expanded | None:
    """Return the working directory; a relative one begins at the workspace."""
    cwd, workspace = fields.text("cwd"), fields.surroundings.workspace
    if cwd is None or not cwd.value:
        return None
    if workspace is None:
        return cwd
    return Expanded(posixpath.join(workspace, cwd.value), posixpath.join(workspace, cwd.shown))


def _read_oauth(fields: Fields, *, project: bool) -> OAuthClient:
    """Return the client that was registered by hand, if one is named.

    A project's file names the server that such values would go to: so it may hold no secret, and
    take nothing from the environment.
    """
    scopes = fields.raw.get("scopes")
    scope = fields.text("scopes" if isinstance(scopes, str) else "scope")
    listed = () if isinstance(scopes, str) else fields.names("scopes")
    port = fields.raw.get("callbackPort", 0)
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= _LAST_PORT:
        fields.wrong("callbackPort", "must be the number of a port")
        port = 0
    texts = {name: fields.text(name) for name in ("clientId", "clientSecret", "issuer")}
    for name, text in texts.items() if project else ():
        if text is not None and (name == "clientSecret" or "${" in text.shown):
            fields.wrong(name, "belongs into your own mcp.json; a project may not set it so")
    return OAuthClient(
        client_id=_value(texts["clientId"]),
        client_secret=_value(texts["clientSecret"]),
        issuer=_value(texts["issuer"]),
        scope=" ".join(listed) or _value(scope),
        port=port,
    )


def _value(expanded: Expanded | None) -> str:
    return expanded.value if expanded else ""


def _read_tools(fields: Fields) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Return the patterns of tools to offer (None: all) and to leave out."""
    tools = fields.raw.get("tools")
    table = cast(Mapping[str, object], tools) if isinstance(tools, Mapping) else {"include": tools}
    included = {
        "tools.include": table.get("include"),
        "includeTools": fields.raw.get("includeTools"),
    }
    excluded = {
        "tools.exclude": table.get("exclude"),
        "disabledTools": fields.raw.get("disabledTools"),
        "excludeTools": fields.raw.get("excludeTools"),
    }
    limited = any(value is not None for value in included.values())
    return (_together(fields, included) if limited else None), _together(fields, excluded)


def _together(fields: Fields, lists: Mapping[str, object]) -> tuple[str, ...]:
    """Return the texts of several lists, one after the other."""
    return tuple(name for key, value in lists.items() for name in fields.list_of(key, value))


def _read_protocol(fields: Fields) -> str:
    protocol = fields.plain("protocol") or "auto"
    if not _PROTOCOL.fullmatch(protocol):
        fields.wrong("protocol", "must be auto, legacy or the date of a revision like 2025-11-25")
    return protocol


def _tell_slips(fields: Fields) -> None:
    """Note keys that are written almost like ours."""
    for key in map(str, fields.raw):
        known = key in _KEYS or key in _OTHERS or len(key) > _LONGEST_KEY
        if alike := [] if known else get_close_matches(key, _KEYS, n=1, cutoff=_ALIKE):
            fields.odd(key, f"is not known and passed over; did you mean {alike[0]}?")
