"""Changing one server in the text of a configuration file, with everything else left as it stands.

Pure. Comments, order and spacing of the rest survive.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hackamore.mcp.loose_json import parse_loose_json, strict_json
from hackamore.mcp.wrapping import WRAPPERS, as_mapping, find_servers

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: where its name begins, its value begins, and its value ends."""

    name: str
    start: int
    value: int
    end: int


def with_server(text: str, name: str, entry: Mapping[str, object]) -> str:
    """Return the text with one more server at the end of the others.

    Raises:
        LooseJSONError: The text is not JSON.
        ValueError: It holds no object, or a server of this name.
    """
    written = f"{json.dumps(name, ensure_ascii=False)}: {_indented(entry, 4)}"
    if not text.removeprefix("\ufeff").strip():
        return f'{{\n  "mcpServers": {{\n    {written}\n  }}\n}}\n'
    plain = strict_json(text)
    tables = _tables(text, plain)
    if not tables:
        wrapped = f'"{WRAPPERS[0]}": {{\n    {written}\n  }}'
        return _inserted(text, plain, _object_at(plain, 0), wrapped, "  ")
    if any(member.name == name for table in tables for member in _members(plain, table)):
        raise ValueError(f"there is a server {name!r} already")
    return _inserted(text, plain, tables[0], written, "    ")


def without_server(text: str, name: str) -> str | None:
    """Return the text without a server, or None when it holds none of this name.

    Raises:
        LooseJSONError: The text is not JSON.
        ValueError: It holds no object.
    """
    if not text.removeprefix("\ufeff").strip():
        return None
    plain = strict_json(text)
    for table in _tables(text, plain):
        members = _members(plain, table)
        for index, member in enumerate(members):
            if member.name == name:
                start, end = _span(plain, members, index)
                shorter = text[:start] + text[end:]
                return without_server(shorter, name) or shorter
    return None


def _tables(text: str, plain: str) -> list[int]:
    """Return where the objects begin that hold servers by name."""
    root = as_mapping(parse_loose_json(text))
    if root is None:
        raise ValueError("it must hold an object")
    start = _object_at(plain, 0)
    return [_below(plain, start, key) for key, _ in find_servers(root)]


def _below(plain: str, start: int, path: str) -> int:
    """Return where the object begins that stands under the keys of `path` ("" for none)."""
    for key in path.split(".") if path else ():
        values = [member.value for member in _members(plain, start) if member.name == key]
        start = _object_at(plain, values[-1])
    return start


def _object_at(plain: str, place: int) -> int:
    """Return where the object begins that stands at a place, spaces aside."""
    start = _after_space(plain, place)
    if plain[start] != "{":
        raise ValueError("servers must stand in an object, by name")
    return start


def _members(plain: str, start: int) -> list[_Member]:
    """Return the members of the object that begins at `start`."""
    found: list[_Member] = []
    place = _after_space(plain, start + 1)
    while plain[place] != "}":
        name, after_name = _DECODER.raw_decode(plain, place)
        value = _after_space(plain, _after_space(plain, after_name) + 1)
        _, end = _DECODER.raw_decode(plain, value)
        found.append(_Member(name, place, value, end))
        after = _after_space(plain, end)
        place = _after_space(plain, after + 1) if plain[after] == "," else after
    return found


def _span(plain: str, members: list[_Member], index: int) -> tuple[int, int]:
    """Return what to cut out for a member: with the comma after it, else with the one before."""
    member = members[index]
    after = _after_space(plain, member.end)
    if plain[after] == ",":
        return member.start, _after_space(plain, after + 1)
    start = members[index - 1].end if index else member.start
    return start, member.end


def _inserted(text: str, plain: str, start: int, written: str, indent: str) -> str:
    """Return the text with a member more at the end of the object that begins at `start`."""
    members = _members(plain, start)
    place = members[-1].end if members else start + 1
    before = ",\n" if members else "\n"
    after = "" if members else f"\n{indent[2:]}"
    return text[:place] + before + indent + written + after + text[place:]


def _indented(entry: Mapping[str, object], depth: int) -> str:
    return json.dumps(entry, indent=2, ensure_ascii=False).replace("\n", "\n" + " " * depth)


def _after_space(plain: str, place: int) -> int:
    found = _SPACE.match(plain, place)
    return found.end() if found else place
