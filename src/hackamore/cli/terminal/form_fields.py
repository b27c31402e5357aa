"""The fields of a form that an MCP server wants filled in, read from its schema.

Pure. The schema is the server's word and may be anything; what is not understood is asked as JSON.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from hackamore.core.json import JSON, JSONObject

Kind: TypeAlias = Literal["string", "integer", "number", "boolean", "choice", "choices", "json"]
_SIMPLE: dict[JSON, Kind] = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values to choose from, and what it is called."""

    value: str
    title: str


@dataclass(frozen=True, slots=True)
class FormField:
    """One property of the form.

    Attributes:
        name: The property's name.
        title: What people call it.
        description: More words; may be empty.
        kind: What it takes: ``choices`` are several of them, ``json`` is anything.
        required: It must be answered.
        schema: What the server says of it.
        choices: What to choose from.
    """

    name: str
    title: str
    description: str
    kind: Kind
    required: bool
    schema: JSONObject
    choices: tuple[Choice, ...] = ()


def fields_of(schema: JSONObject) -> list[FormField]:
    """Return the fields of a form, in the order of the schema."""
    properties = _table(schema.get("properties"))
    required = _texts(schema.get("required"))
    return [_field(name, _table(one), name in required) for name, one in properties.items()]


def _field(name: str, schema: JSONObject, required: bool) -> FormField:
    items = _table(schema.get("items"))
    several = schema.get("type") == "array"
    choices = _choices(items if several else schema)
    chosen: Kind = "choices" if several else "choice"
    return FormField(
        name=name,
        title=_line(schema.get("title")) or name,
        description=_line(schema.get("description")),
        kind=chosen if choices else _kind(schema.get("type")),
        required=required,
        schema=schema,
        choices=choices,
    )


def _kind(named: JSON) -> Kind:
    names = [named] if isinstance(named, str) else [one for one in _texts(named) if one != "null"]
    return _SIMPLE.get(names[0], "json") if len(names) == 1 else "json"


def _choices(schema: JSONObject) -> tuple[Choice, ...]:
    for key in ("oneOf", "anyOf"):
        listed = _list(schema.get(key))
        pairs = [(_table(one).get("const"), _table(one).get("title")) for one in listed]
        if pairs and all(isinstance(value, str) for value, _ in pairs):
            return tuple(Choice(str(value), _line(title) or str(value)) for value, title in pairs)
    values, titles = _texts(schema.get("enum")), _texts(schema.get("enumNames"))
    named = titles if len(titles) == len(values) else values
    return tuple(Choice(*pair) for pair in zip(values, named, strict=True))


def _table(value: object) -> JSONObject:
    return cast(JSONObject, value) if isinstance(value, Mapping) else {}


def _list(value: object) -> Sequence[JSON]:
    fits = isinstance(value, Sequence) and not isinstance(value, str)
    return cast(Sequence[JSON], value) if fits else ()


def _texts(value: object) -> list[str]:
    return [one for one in _list(value) if isinstance(one, str)]


def _line(value: object) -> str:
    """Return a text on one line: what stands below it is ours to say."""
    return " ".join(value.split()) if isinstance(value, str) else ""
