"""What one server offers: all pages of its list of tools, each judged for itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final, cast

import mcp_types as types
from mcp import Client

from hackamore.core.json import JSONObject
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.tolerance import INPUT_SCHEMA, MENDED, MOST_TOOLS, OUTPUT_SCHEMA
from hackamore.mcp.visible import hides_something, name_hides_something, visible
from hackamore.mcp.visible_schema import visible_schema

MOST_PAGES: Final = 100


@dataclass(frozen=True, slots=True)
class ListedTool:
    """One tool as its server describes it, with what cannot be seen taken out.

    Attributes:
        name: On the server.
        title: For people; may be empty.
        description: For the model.
        schema: JSON Schema of the arguments: the server's, without names and values that nobody
            can see.
        output_schema: JSON Schema of the structured result, or None.
        read_only: The server says that it changes nothing.
        idempotent: The server says that doing it twice does no more than once.
        destructive: The server says whether it may delete or overwrite something.
        open_world: The server says whether it reaches beyond what it serves.
        hides: Its words, names or values held characters that nobody can see; they were taken out.
        mended: What had to be left out of it so that it could be used at all.
    """

    name: str
    title: str
    description: str
    schema: JSONObject
    output_schema: JSONObject | None
    read_only: bool
    idempotent: bool
    destructive: bool | None = None
    open_world: bool | None = None
    hides: bool = False
    mended: tuple[str, ...] = ()


async def list_tools(
    client: Client, entry: ServerEntry, say: Callable[[str], None]
) -> tuple[ListedTool, ...]:
    """Return the tools that the server offers and the entry lets through."""
    if client.server_capabilities.tools is None:
        return ()
    found: dict[str, ListedTool] = {}
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            if tool.name in found:
                say(f"it lists the tool {tool.name!r} twice; the first counts")
            elif _wanted(entry, tool.name):
                found[tool.name] = _listed(tool)
        cursor = page.next_cursor
        if cursor is None:
            break
        if len(found) >= MOST_TOOLS or cursor in seen:
            break
        seen.add(cursor)
    if cursor is not None:
        say(f"its list of tools does not end; {min(len(found), MOST_TOOLS)} were taken")
    return tuple(_first(found))


def _first(found: dict[str, ListedTool]) -> Iterator[ListedTool]:
    for count, tool in enumerate(found.values()):
        if count >= MOST_TOOLS:
            return
        yield tool


def _wanted(entry: ServerEntry, name: str) -> bool:
    included = entry.include is None or any(fnmatchcase(name, one) for one in entry.include)
    return included and not any(fnmatchcase(name, one) for one in entry.exclude)


def _listed(tool: types.Tool) -> ListedTool:
    hints = tool.annotations
    title = tool.title or (hints.title if hints else None) or ""
    meta: dict[str, Any] = tool.meta or {}
    set_aside = meta.get(OUTPUT_SCHEMA)
    schema = meta.get(INPUT_SCHEMA, tool.input_schema)
    seen, hid = visible_schema(cast("dict[str, Any]", schema))
    words = (title, tool.description or "")
    return ListedTool(
        name=tool.name,
        title=visible(title),
        description=visible(tool.description or ""),
        schema=cast(JSONObject, seen),
        output_schema=cast(JSONObject, set_aside) if isinstance(set_aside, dict) else None,
        read_only=bool(hints and hints.read_only_hint),
        idempotent=bool(hints and hints.idempotent_hint),
        destructive=hints.destructive_hint if hints else None,
        open_world=hints.open_world_hint if hints else None,
        hides=hid or any(map(hides_something, words)) or name_hides_something(tool.name),
        mended=tuple(meta.get(MENDED, ())),
    )
