"""A server's JSON Schema with what cannot be followed in it marked, so that the rest still counts.

A word of an older draft, a value of the wrong type or a schema that is none costs only itself: in
its place stands `UNKNOWN`, and a validator knows that nothing is known there. Pure.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast

UNKNOWN: Final = "hackamore/unknown"
"""The keyword that stands in a schema for what was left out of it."""

Schema: TypeAlias = dict[str, Any]

_WIDEST: Final = 50
_TYPES: Final = frozenset({"string", "integer", "number", "boolean", "null", "array", "object"})


def sound(schema: object) -> Schema | bool:
    """Return a copy of `schema` in which every keyword holds what it may hold."""
    return _Copier().schema(schema)


class _Copier:
    """Copies one schema."""

    def schema(self, found: object) -> Schema | bool:
        if isinstance(found, bool):
            return found
        if not isinstance(found, Mapping):
            return {UNKNOWN: True}
        copied: Schema = {}
        for name, value in cast("Mapping[str, object]", found).items():
            if len(copied) >= _WIDEST and name not in _KNOWN:
                continue
            if name in _ABOUT and not isinstance(value, str):
                continue
            if _is_sound(name, value):
                copied[name] = self._value(name, value)
            else:
                copied[UNKNOWN] = True
        return copied

    def _value(self, name: str, value: object) -> object:
        if name in _BY_NAME:
            named = cast("Mapping[str, object]", value)
            return {key: self._under_name(inner) for key, inner in named.items()}
        if name in _LISTS or (name in _SINGLE and isinstance(value, list)):
            return [self.schema(inner) for inner in cast("list[object]", value)]
        return self.schema(value) if name in _SINGLE else value

    def _under_name(self, inner: object) -> object:
        return inner if _is_names(inner) else self.schema(inner)


def _is_sound(name: str, value: object) -> bool:
    return name not in _SOUND or _SOUND[name](value)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, str) for one in cast("list[object]", value)
    )


def _is_type(value: object) -> bool:
    if isinstance(value, str):
        return value in _TYPES
    return _is_names(value) and _TYPES.issuperset(cast("list[str]", value))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_positive(value: object) -> bool:
    return _is_number(value) and cast(float, value) > 0


def _is_count(value: object) -> bool:
    return _is_number(value) and cast(float, value) >= 0


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_object(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_names_by_name(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        map(_is_names, cast("Mapping[str, object]", value).values())
    )


_ABOUT: Final = frozenset({"$schema", "$id", "id", "$anchor", "$dynamicAnchor"})
_BY_NAME: Final = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
_LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SINGLE: Final = frozenset(
    {
        *("additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"),
        *("items", "additionalItems", "unevaluatedItems", "unevaluatedProperties"),
    }
)
_SOUND: Final[Mapping[str, Callable[[object], bool]]] = {
    **dict.fromkeys(_BY_NAME, _is_object),
    **dict.fromkeys(_LISTS, _is_list),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _is_count),
    **dict.fromkeys(("minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("minContains", "maxContains"), _is_count),
    **dict.fromkeys(("$ref", "$dynamicRef", "$recursiveRef", "pattern", "format"), _is_text),
    "type": _is_type,
    "required": _is_names,
    "dependentRequired": _is_names_by_name,
    "enum": _is_list,
    "multipleOf": _is_positive,
    "uniqueItems": _is_flag,
}
_KNOWN: Final = frozenset(_SOUND) | _SINGLE | _ABOUT | {"const"}
