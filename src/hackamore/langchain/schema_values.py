"""Which keywords of a JSON Schema a model is shown, and when their values are sound. Pure.

What is not listed here, or is malformed, is left out of the view: it says nothing to a model that
every provider would take. The server's own schema stays what calls are checked by.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeGuard

from hackamore.core.json import JSON, JSONObject

View: TypeAlias = dict[str, Any]
"""A schema as a model is shown it: fresh, plain, without references."""

_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "object": Mapping,
    "array": (list, tuple),
    "null": type(None),
}
_DEEPEST_VALUE: Final = 16
_LONGEST_PATTERN: Final = 1000


def sound_keywords(schema: JSONObject) -> View:
    """Return a copy of those keywords of `schema` that hold no other schemas and are sound."""
    kinds = _type_names(schema.get("type"))
    view: View = {"type": kinds[0] if len(kinds) == 1 else kinds} if kinds else {}
    for name, value in schema.items():
        if name in _SOUND and _SOUND[name](value):
            view[name] = _plain(value)
    return view


def required_names(schema: JSONObject) -> list[str]:
    """Return the names that `schema` requires, each once."""
    names = schema.get("required")
    found = names if is_array(names) else ()
    return list(dict.fromkeys(name for name in found if isinstance(name, str) and name != "$ref"))


def fits(value: object, view: View) -> bool:
    """Whether `value` is of the type, and one of the values, that `view` allows."""
    if value is None and view.get("nullable") is True:
        return True
    kinds = view.get("type", [])
    names = kinds if is_array(kinds) else [kinds]
    if names and not any(_has_type(value, name) for name in names):
        return False
    if "const" in view and value != view["const"]:
        return False
    if "enum" in view and value not in view["enum"]:
        return False
    return "anyOf" not in view or any(fits(value, choice) for choice in view["anyOf"])


def with_type(view: View) -> View:
    """Return `view`, saying the type that it means where it means just one."""
    kind = None if "type" in view or "anyOf" in view else _implied_type(view)
    return view if kind is None else {"type": kind, **view}


def is_object(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether `value` is a JSON object."""
    return isinstance(value, dict | Mapping)


def is_array(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether `value` is a JSON array."""
    return isinstance(value, list | tuple)


def is_pattern(value: object) -> bool:
    """Whether `value` is a regular expression that can be compiled here."""
    if not isinstance(value, str) or len(value) > _LONGEST_PATTERN:
        return False
    try:
        re.compile(value)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def _implied_type(view: View) -> str | None:
    if "properties" in view:
        return "object"
    if "items" in view:
        return "array"
    values = [view["const"]] if "const" in view else view.get("enum", [])
    for kind in ("boolean", "string", "integer", "number"):
        if values and all(_has_type(value, kind) for value in values):
            return kind
    return None


def _plain(value: object) -> object:
    """Return a copy of `value` in plain dicts and lists."""
    if is_object(value):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if is_array(value) else value


def _is_plain(value: object, depth: int = 0) -> bool:
    """Whether `value` is JSON of bounded depth without anything that looks like a reference."""
    if depth > _DEEPEST_VALUE:
        return False
    if isinstance(value, float):
        return math.isfinite(value)
    if is_object(value):
        names = all(isinstance(name, str) and name != "$ref" for name in value)
        return names and all(_is_plain(inner, depth + 1) for inner in value.values())
    if is_array(value):
        return all(_is_plain(inner, depth + 1) for inner in value)
    return value is None or isinstance(value, bool | int | str)


def _type_names(value: JSON) -> list[str]:
    names = value if is_array(value) else [value]
    return list(dict.fromkeys(name for name in names if isinstance(name, str) and name in _TYPES))


def _has_type(value: object, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_positive(value: object) -> bool:
    return _is_number(value) and isinstance(value, int | float) and value > 0


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_list(value: object) -> bool:
    return is_array(value) and len(value) > 0 and _is_plain(value)


_SOUND: Final[Mapping[str, Callable[[object], bool]]] = {
    "title": _is_text,
    "description": _is_text,
    "const": _is_plain,
    "enum": _is_list,
    "default": _is_plain,
    "examples": _is_list,
    "format": _is_text,
    "pattern": is_pattern,
    "minLength": _is_count,
    "maxLength": _is_count,
    "minimum": _is_number,
    "maximum": _is_number,
    "exclusiveMinimum": _is_number,
    "exclusiveMaximum": _is_number,
    "multipleOf": _is_positive,
    "minItems": _is_count,
    "maxItems": _is_count,
    "uniqueItems": _is_flag,
    "minProperties": _is_count,
    "maxProperties": _is_count,
    "nullable": _is_flag,
    "deprecated": _is_flag,
    "readOnly": _is_flag,
    "writeOnly": _is_flag,
}
