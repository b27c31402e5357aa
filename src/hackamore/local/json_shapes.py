"""JSON schemas as states of the `json_machine`: what a tool's arguments may look like. Pure.

Keys come in the order of the schema, required ones first; an optional one may be left out. Written
with one space after commas and colons, as models write it. Of a schema, ``type``, ``enum``,
``const``, ``properties``, ``required``, ``items``, ``anyOf``, ``oneOf``, ``minItems``,
``maxItems``, ``minLength``, ``maxLength`` and a ``minimum`` of 0 or more are kept to; where it says
something else, any value of the type will do, and the tool's own check has the last word.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from hackamore.core.json import JSON, JSONObject
from hackamore.local.json_machine import Characters, Either, Fixed, Number, State, Ways

DEPTH: Final = 6
_ANY: Final[JSONObject] = {}
_TYPES: Final = ("string", "number", "boolean", "null", "array", "object")


def value(schema: JSONObject, depth: int = DEPTH) -> State:
    """Return the state in which a value of the schema is to come.

    Args:
        schema: Of the value.
        depth: How deep arrays and objects may lie in each other.
    """
    for name in ("anyOf", "oneOf"):
        if ways := _objects(schema.get(name)):
            return (Either(tuple(value(way, depth) for way in ways)),)
    if "const" in schema:
        return (Fixed(_text(schema["const"])),)
    if choices := _list(schema.get("enum")):
        return (Either(tuple((Fixed(_text(choice)),) for choice in choices)),)
    kind = schema.get("type", _implied(schema))
    if isinstance(kind, str) and kind:
        return _typed(kind, schema, depth)
    return (_Typed(tuple(str(one) for one in _list(kind)) or _TYPES, depth),)


def members(schema: JSONObject, depth: int = DEPTH) -> State:
    """Return the state after an object's opening brace."""
    properties = _mapping(schema.get("properties"))
    if "properties" not in schema and schema.get("additionalProperties") is not False:
        return (_FreeMembers(_extra(schema), depth),)
    required = _list(schema.get("required"))
    keys = sorted(properties.items(), key=lambda item: item[0] not in required)
    left = tuple(_Key(name, _mapping(one), name in required) for name, one in keys)
    return (_Members(left, depth),)


def _typed(kind: str, schema: JSONObject, depth: int) -> State:
    match kind:
        case "string":
            least, most = _whole(schema.get("minLength")) or 0, _whole(schema.get("maxLength"))
            return (Fixed(b'"'), Characters(least, most))
        case "integer" | "number":
            least = schema.get("minimum")
            return (Number(kind == "integer", not (isinstance(least, int) and least >= 0)),)
        case "boolean":
            return (Either(((Fixed(b"true"),), (Fixed(b"false"),))),)
        case "null":
            return (Fixed(b"null"),)
        case "array":
            least, most = _whole(schema.get("minItems")) or 0, _whole(schema.get("maxItems"))
            return (Fixed(b"["), _Items(_mapping(schema.get("items")), least, most, depth))
        case _:
            return (Fixed(b"{"), *members(schema, depth))


@dataclass(frozen=True)
class _Typed(Ways):
    """A value of one of some types; deep down only plain ones."""

    kinds: tuple[str, ...]
    depth: int

    def ways(self) -> tuple[State, ...]:
        plain = tuple(kind for kind in self.kinds if kind not in ("array", "object"))
        kinds = self.kinds if self.depth > 0 or not plain else plain
        return tuple(_typed(kind, _ANY, self.depth) for kind in kinds)


@dataclass(frozen=True, slots=True)
class _Key:
    """One property of an object."""

    name: str
    schema: JSONObject
    required: bool


@dataclass(frozen=True)
class _Members(Ways):
    """What comes in an object after some of its members; `keys` are those that may still come."""

    keys: tuple[_Key, ...]
    depth: int
    first: bool = True

    def ways(self) -> tuple[State, ...]:
        if self.keys and self.keys[0].required:
            return (self._from(0),)
        return ((Fixed(b"}"),), *(self._from(at) for at in range(len(self.keys))))

    def _from(self, at: int) -> State:
        key = self.keys[at]
        comma = b"" if self.first else b", "
        rest = _Members(self.keys[at + 1 :], self.depth, first=False)
        return (Fixed(comma + _text(key.name) + b": "), *value(key.schema, self.depth - 1), rest)


@dataclass(frozen=True)
class _FreeMembers(Ways):
    """The members of an object whose keys nobody has named."""

    schema: JSONObject
    depth: int
    first: bool = True

    def ways(self) -> tuple[State, ...]:
        if self.depth < 0:
            return ((Fixed(b"}"),),)
        comma = b"" if self.first else b", "
        rest = _FreeMembers(self.schema, self.depth, first=False)
        one = value(self.schema, self.depth - 1)
        return ((Fixed(b"}"),), (Fixed(comma + b'"'), Characters(), Fixed(b": "), *one, rest))


@dataclass(frozen=True)
class _Items(Ways):
    """What comes in an array: `least` items at least, `most` at most."""

    schema: JSONObject
    least: int
    most: int | None
    depth: int
    first: bool = True

    def ways(self) -> tuple[State, ...]:
        end: State = (Fixed(b"]"),)
        if self.most == 0 or (self.depth < 0 and self.least <= 0):
            return (end,)
        most = None if self.most is None else self.most - 1
        comma: State = () if self.first else (Fixed(b", "),)
        rest = _Items(self.schema, self.least - 1, most, self.depth, first=False)
        more: State = (*comma, *value(self.schema, self.depth - 1), rest)
        return (more,) if self.least > 0 else (end, more)


def _implied(schema: JSONObject) -> str:
    """Return the type of a schema that does not say it."""
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else ""


def _extra(schema: JSONObject) -> JSONObject:
    return _mapping(schema.get("additionalProperties"))


def _text(item: JSON) -> bytes:
    return json.dumps(item, ensure_ascii=False).encode()


def _mapping(item: JSON) -> JSONObject:
    return item if isinstance(item, Mapping) else _ANY


def _list(item: JSON) -> Sequence[JSON]:
    return item if isinstance(item, Sequence) and not isinstance(item, str) else ()


def _objects(item: JSON) -> list[JSONObject]:
    return [cast(JSONObject, one) for one in _list(item) if isinstance(one, Mapping)]


def _whole(item: JSON) -> int | None:
    return item if isinstance(item, int) else None
