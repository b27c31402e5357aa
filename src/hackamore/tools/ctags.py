"""What universal-ctags says of files: the command that asks it, and its answer."""

import json
import shlex
from collections.abc import Sequence
from typing import Any, Final, cast

from hackamore.tools.definitions import Definition

_KINDS: Final = frozenset(
    (
        *("class", "function", "method", "interface", "struct", "enum", "trait", "module"),
        *("namespace", "type", "typedef", "union", "macro", "protocol", "constructor", "record"),
        *("implementation", "object", "singletonMethod", "func", "typealias", "generator"),
    )
)
_OTHERWISE_NAMED: Final = {("Python", "member"): "method", ("TypeScript", "alias"): "type"}


def ctags_command(paths: Sequence[str]) -> str:
    """Return the command line; the workspace's own ctags options are not read."""
    files = " ".join(shlex.quote(f"./{path}") for path in paths)
    return (
        "ctags --options=NONE --quiet --output-format=json --fields=+nl --sort=no"
        f" -f - {files} 2>/dev/null"
    )


def parse_ctags(output: str) -> dict[str, tuple[Definition, ...]]:
    """Return the definitions by path; lines that are no tags are passed over."""
    tags: dict[str, list[dict[str, Any]]] = {}
    for line in output.splitlines():
        tag = _tag(line)
        if tag is not None:
            tags.setdefault(str(tag["path"]).removeprefix("./"), []).append(tag)
    return {path: _nested(found) for path, found in tags.items()}


def _tag(line: str) -> dict[str, Any] | None:
    try:
        read: object = json.loads(line)
    except ValueError:
        return None
    if not isinstance(read, dict):
        return None
    tag = cast(dict[str, Any], read)
    known = tag.get("_type") == "tag" and {"name", "path", "line", "kind"} <= tag.keys()
    return tag if known and isinstance(tag["line"], int) and _wanted(tag) else None


def _wanted(tag: dict[str, Any]) -> bool:
    local = tag.get("scopeKind") in ("function", "method", "member", "func")
    return not local and _kind(tag) in _KINDS


def _kind(tag: dict[str, Any]) -> str:
    kind = str(tag["kind"])
    return _OTHERWISE_NAMED.get((str(tag.get("language")), kind), kind)


def _nested(tags: list[dict[str, Any]]) -> tuple[Definition, ...]:
    depths: dict[str, int] = {}
    found: list[Definition] = []
    for tag in sorted(tags, key=lambda tag: int(tag["line"])):
        scope, name = str(tag.get("scope", "")), str(tag["name"])
        depth = depths.get(scope, -1) + 1
        for mark in (".", "::", "\\"):
            depths.setdefault(f"{scope}{mark}{name}" if scope else name, depth)
        found.append(Definition(_kind(tag), name, int(tag["line"]), depth))
    return tuple(found)
