"""The configuration of MCP servers, in every spelling that is in use, read and checked.

Pure: texts and mappings in, `ServerConfig` out. One bad entry never costs the others; nothing
raises for what a file holds.
"""

from collections.abc import Iterable, Mapping
from typing import Final, cast

from hackamore.mcp.entry import EntryProblem, ServerConfig, ServerEntry
from hackamore.mcp.entry_reader import Origin, read_entry
from hackamore.mcp.expansion import Surroundings
from hackamore.mcp.loose_json import LooseJSONError, RepeatingObject, parse_loose_json
from hackamore.mcp.wrapping import as_mapping, find_servers

_NO_SERVERS: Final = 'holds no servers; they stand by name under "mcpServers" or "servers"'


def parse_servers(
    text: str,
    *,
    source: str,
    variables: Mapping[str, str],
    workspace: str | None,
    project: bool = False,
) -> ServerConfig:
    """Read the text of a configuration file; comments and trailing commas are fine.

    Args:
        text: The file's text; blank counts as no servers.
        source: The file, for people.
        variables: The environment, for ``${VAR}``.
        workspace: The folder that one works in, for ``${workspaceFolder}``.
        project: The file came with the project, so that its entries need the person's consent.
    """
    if not text.removeprefix("\ufeff").strip():
        return ServerConfig()
    try:
        root = parse_loose_json(text)
    except LooseJSONError as error:
        return _nothing(source, f"is not JSON: {error}")
    if not isinstance(root, Mapping):
        return _nothing(source, 'must hold an object like {"mcpServers": {…}}')
    return read_servers(
        cast(Mapping[str, object], root),
        source=source,
        variables=variables,
        workspace=workspace,
        project=project,
    )


def read_servers(
    mapping: Mapping[str, object],
    *,
    source: str,
    variables: Mapping[str, str],
    workspace: str | None,
    project: bool = False,
) -> ServerConfig:
    """Read a mapping like that of a file, or servers by name without a wrapper.

    The mapping is never changed. The other arguments are those of `parse_servers`.
    """
    origin = Origin(source, project, Surroundings(variables, workspace))
    places = list(find_servers(as_mapping(mapping) or {}))
    if not places:
        return _nothing(source, _NO_SERVERS) if mapping else ServerConfig()
    return merge(_read_table(key, table, origin) for key, table in places)


def merge(configs: Iterable[ServerConfig]) -> ServerConfig:
    """Put configurations together: later ones add, a name in an earlier one wins.

    An entry that could not be read keeps its name too: another one in its place would surprise.
    """
    entries: list[ServerEntry] = []
    problems: list[EntryProblem] = []
    shadowed: list[ServerEntry] = []
    taken: set[str] = set()
    for config in configs:
        for entry in config.entries:
            (shadowed if entry.name in taken else entries).append(entry)
        shadowed += config.shadowed
        problems += [one for one in config.problems if one.server not in taken]
        taken |= {entry.name for entry in config.entries}
        taken |= {one.server for one in config.problems if one.server}
    return ServerConfig(tuple(entries), tuple(problems), tuple(shadowed))


def _read_table(key: str, table: object, origin: Origin) -> ServerConfig:
    """Read the servers that stand under one key."""
    servers = as_mapping(table)
    if servers is None:
        return _nothing(origin.source, "must be an object: servers by name", key)
    entries: list[ServerEntry] = []
    problems = _repeated(table, "", origin)
    for name, raw in servers.items():
        if complaint := _name_complaint(name):
            problems.append(EntryProblem(origin.source, ascii(name), "", complaint))
            continue
        entry, told = read_entry(cast(str, name), raw, origin)
        problems += _repeated(raw, cast(str, name), origin)
        problems += told
        if entry is not None:
            entries.append(entry)
    return ServerConfig(tuple(entries), tuple(problems))


def _repeated(value: object, server: str, origin: Origin) -> list[EntryProblem]:
    """Tell which names stand more than once in an object; JSON takes the last."""
    names = value.repeated if isinstance(value, RepeatingObject) else ()
    words = "stands here more than once; the last one counts"
    return [
        EntryProblem(origin.source, server or name, name if server else "", words, warning=True)
        for name in names
    ]


def _name_complaint(name: object) -> str | None:
    if not isinstance(name, str) or not name.strip():
        return "a server needs a name that is a text and not blank"
    if any("\ud800" <= char <= "\udfff" for char in name):
        return "the name holds half a character"
    return None


def _nothing(source: str, message: str, key: str = "") -> ServerConfig:
    return ServerConfig(problems=(EntryProblem(source, "", key, message),))
