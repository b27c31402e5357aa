"""Where the servers stand in a configuration: in ``mcpServers``, in ``servers``, or bare.

Pure. Cline, Claude, Cursor and others write ``{"mcpServers": {name: entry}}``, VS Code
``{"servers": …}`` and, in its settings, ``{"mcp": {"servers": …}}``; programs hand over
``{name: entry}``.
"""

from collections.abc import Iterator, Mapping
from typing import Final, cast

WRAPPERS: Final = ("mcpServers", "servers")
_SETTINGS: Final = "mcp"
_REACHED_BY: Final = ("command", "url", "serverUrl", "httpUrl")


def find_servers(root: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    """Yield each place where servers stand: its key ("" for the root itself) and what is there."""
    inner = as_mapping(root.get(_SETTINGS))
    places = [(key, root[key]) for key in WRAPPERS if key in root]
    if inner is not None and not _is_entry(inner):
        places += [(f"{_SETTINGS}.{key}", inner[key]) for key in WRAPPERS if key in inner]
    wrapped = [(key, value) for key, value in places if not _is_entry(value)]
    if wrapped:
        yield from wrapped
    elif any(_is_entry(value) for value in root.values()):
        yield "", root


def as_mapping(value: object) -> Mapping[object, object] | None:
    """Return a value that is a mapping, else None."""
    return cast(Mapping[object, object], value) if isinstance(value, Mapping) else None


def _is_entry(value: object) -> bool:
    """Tell an entry from a table of entries: its command or address is a text."""
    entry = as_mapping(value)
    return entry is not None and any(isinstance(entry.get(key), str) for key in _REACHED_BY)
