"""Reads the arguments of an Action: JSON, names with values, or one value alone."""

from collections.abc import Mapping, Sequence
from typing import Final

from hackamore.core.json import JSON, JSONObject
from hackamore.core.tools import ToolSpec
from hackamore.formats.coerce import coerce
from hackamore.formats.literals import Item, read_items
from hackamore.formats.schema import allowed_types
from hackamore.formats.strict_json import parse_json

_NOTHING: Final = frozenset({"None", "null"})


def read_arguments(text: str, spec: ToolSpec) -> JSONObject:
    """Return the arguments that stand between the parentheses of a call of `spec`.

    Raises:
        ValueError: They cannot be read; the words say why.
    """
    if not text.strip():
        return {}
    if text.lstrip().startswith("{"):
        try:
            value = parse_json(text)
        except ValueError as error:
            return _python(text, spec, str(error))
        if isinstance(value, Mapping):
            return value
    return _of_items(read_items(text), spec)


def read_input(text: str, spec: ToolSpec) -> JSONObject:
    """Return the arguments of an Action Input line: JSON, or the text of the only value.

    Raises:
        ValueError: It is neither; the words say why.
    """
    text = text.strip()
    if text.startswith("{") or not text or text in _NOTHING:
        return {} if text in _NOTHING else read_arguments(text, spec)
    name = sole_parameter(spec)
    if name is None:
        raise ValueError("the input must be a JSON object")
    return {name: coerce(_unquoted(text), spec.properties[name], spec)}


def sole_parameter(spec: ToolSpec) -> str | None:
    """Return the parameter that a value without a name is for, if there is no doubt."""
    if len(spec.required) == 1 and spec.required[0] in spec.properties:
        return spec.required[0]
    return next(iter(spec.properties)) if len(spec.properties) == 1 else None


def _python(text: str, spec: ToolSpec, problem: str) -> JSONObject:
    """Read what begins like JSON and is none."""
    try:
        return _of_items(read_items(text), spec)
    except ValueError as error:
        raise ValueError(f"the arguments are not valid JSON: {problem}") from error


def _of_items(items: Sequence[Item], spec: ToolSpec) -> JSONObject:
    if len(items) == 1 and not items[0].name and isinstance(items[0].value, Mapping):
        return items[0].value
    arguments: dict[str, JSON] = {}
    for item in items:
        name = item.name or _name_of_value(spec, items)
        if name in arguments:
            raise ValueError(f"{name!r} is given twice")
        if not item.bare:
            arguments[name] = item.value
        elif not _is_left_out(item, name, spec):
            arguments[name] = _bare(str(item.value), name, spec)
    return arguments


def _name_of_value(spec: ToolSpec, items: Sequence[Item]) -> str:
    name = sole_parameter(spec)
    if name is None or sum(not item.name for item in items) > 1:
        raise ValueError("give every argument its name")
    return name


def _is_left_out(item: Item, name: str, spec: ToolSpec) -> bool:
    """Whether a bare None says that there is no value."""
    kinds = allowed_types(spec.properties.get(name, {}), spec.parameters)
    return item.value in _NOTHING and "null" not in kinds


def _bare(words: str, name: str, spec: ToolSpec) -> JSON:
    schema = spec.properties.get(name, {})
    kinds = allowed_types(schema, spec.parameters)
    if "null" in kinds and words in _NOTHING:
        return None
    if not kinds:
        return _guessed(words)
    try:
        return coerce(words, schema, spec)
    except ValueError as error:
        raise ValueError(f"{name!r} could not be read: {error}") from error


def _guessed(words: str) -> JSON:
    """Return a value of which the schema says nothing: a number or the like, or just words."""
    try:
        return parse_json({"True": "true", "False": "false"}.get(words, words))
    except ValueError:
        return words


def _unquoted(text: str) -> str:
    """Return what is inside the quotes of a text that is one JSON string."""
    if not text.startswith('"'):
        return text
    try:
        value = parse_json(text)
    except ValueError:
        return text
    return value if isinstance(value, str) else text
