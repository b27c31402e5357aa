"""Reads the little of JSON Schema that tool parameters need: what a value may be."""

from collections.abc import Mapping, Sequence
from typing import Final

from hackamore.core.json import JSON, JSONObject

_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "object": Mapping,
    "array": (list, tuple),
    "null": type(None),
}
_DEEPEST: Final = 32


def allowed_types(schema: JSONObject, root: JSONObject, depth: int = 0) -> frozenset[str]:
    """Return the names of the JSON types that `schema` allows; empty when it allows all.

    `root` is the schema that local references point into.
    """
    if depth > _DEEPEST:
        return frozenset()
    schema = resolved(schema, root)
    found = schema.get("type")
    if isinstance(found, str):
        return frozenset({found})
    if isinstance(found, Sequence):
        return frozenset(str(name) for name in found)
    choices = _choices(schema)
    kinds = [allowed_types(choice, root, depth + 1) for choice in choices]
    if kinds and all(kinds):
        return frozenset[str]().union(*kinds)
    return _types_of_values(schema)


def resolved(schema: JSONObject, root: JSONObject) -> JSONObject:
    """Follow `schema`'s local reference, if it is one."""
    for _ in range(_DEEPEST):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        target: JSON = root
        for key in reference[2:].split("/"):
            target = target.get(key) if isinstance(target, Mapping) else None
        if not isinstance(target, Mapping):
            return schema
        schema = target
    return {}


def has_type(value: JSON, name: str) -> bool:
    """Whether `value` is of the JSON type `name`."""
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    kind = _TYPES.get(name)
    return kind is None or isinstance(value, kind)


def fits(value: JSON, schema: JSONObject, root: JSONObject) -> bool:
    """Whether the type of `value`, and of what is directly inside it, is one that is allowed."""
    kinds = allowed_types(schema, root)
    return not kinds or any(has_type(value, kind) for kind in kinds)


def fits_object(arguments: JSONObject, schema: JSONObject) -> bool:
    """Whether `arguments` has what `schema` requires, nothing that it does not know, and fits."""
    properties = schema.get("properties")
    known: JSONObject = properties if isinstance(properties, Mapping) else {}
    required = schema.get("required")
    if isinstance(required, Sequence) and any(name not in arguments for name in required):
        return False
    if any(name not in known for name in arguments):
        return False
    return all(_fits(value, known[name], schema) for name, value in arguments.items())


def _fits(value: JSON, schema: JSON, root: JSONObject) -> bool:
    return not isinstance(schema, Mapping) or fits(value, schema, root)


def _choices(schema: JSONObject) -> list[JSONObject]:
    for key in ("anyOf", "oneOf"):
        found = schema.get(key)
        if isinstance(found, Sequence):
            return [choice for choice in found if isinstance(choice, Mapping)]
    return []


def _types_of_values(schema: JSONObject) -> frozenset[str]:
    values = schema.get("enum")
    if not isinstance(values, Sequence) or isinstance(values, str):
        return frozenset()
    return frozenset(name for name in _TYPES for value in values if has_type(value, name))
