"""The schema of a tool's arguments as one of an object, which arguments always are. Pure."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, cast

Schema: TypeAlias = dict[str, Any]

_HEADER: Final = "x-mcp-header"
_OTHER_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "array", "null"})


class NoObjectError(Exception):
    """A schema cannot be meant for arguments."""


def of_object(found: object) -> tuple[Schema, list[str]]:
    """Return `found` as a schema of an object, and the names of what had to be left out of it.

    Raises:
        NoObjectError: It is no schema of an object, and cannot be meant as one.
    """
    if not isinstance(found, Mapping):
        what = "missing" if found is None else f"no object but {type(found).__name__}"
        raise NoObjectError(f"inputSchema is {what}")
    schema = dict(cast("Mapping[str, Any]", found))
    odd: list[str] = []
    kind = schema.get("type")
    kinds = cast("list[object]", kind if isinstance(kind, list) else [kind])
    if kind is not None and "object" not in kinds:
        if any(one in _OTHER_TYPES for one in kinds if isinstance(one, str)):
            raise NoObjectError(f"inputSchema takes no object but {kind!r}")
        odd.append("type")
    schema["type"] = "object"
    for name, is_sound in (
        ("properties", _is_object),
        ("required", _is_names),
        ("$schema", _is_text),
    ):
        if name in schema and not is_sound(schema[name]):
            value = schema.pop(name)
            if value not in (None, []):
                odd.append(name)
    return schema, [f"inputSchema.{name}" for name in odd]


def for_sdk(schema: Schema) -> Schema:
    """Return as much of a schema as the SDK needs: which arguments become headers, if any do."""
    if not _names_headers(schema):
        return {"type": "object"}
    properties = cast("dict[str, Any]", schema.get("properties", {}))
    sound: Schema = {name: _as_object(inner) for name, inner in properties.items()}
    return {**schema, "properties": sound}


def _names_headers(schema: Schema) -> bool:
    waiting: list[object] = [schema]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if _HEADER in one:
                return True
            waiting.extend(cast("dict[str, object]", one).values())
        elif isinstance(one, list):
            waiting.extend(cast("list[object]", one))
    return False


def _as_object(value: object) -> Schema:
    return cast(Schema, value) if isinstance(value, dict) else {}


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(name, str) for name in cast("list[object]", value)
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)
