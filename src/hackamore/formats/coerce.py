"""Turns the text of a value into what the tool's schema asks for."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

from hackamore.core.json import JSON, JSONObject
from hackamore.core.tools import ToolSpec
from hackamore.formats.schema import allowed_types, has_type
from hackamore.formats.strict_json import parse_json

_INTEGER: Final = re.compile(r"[+-]?\d{1,30}")
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")
_SHORT: Final = 40
_WORDS: Final[Mapping[str, JSON]] = {"true": True, "false": False}


def coerce(text: str, schema: JSONObject, spec: ToolSpec) -> JSON:
    """Return the value of one parameter.

    Where the schema allows text, the text is the value.

    Raises:
        ValueError: The text is nothing that the schema allows; the words say why.
    """
    kinds = allowed_types(schema, spec.parameters)
    if not kinds or "string" in kinds:
        return text
    problems: list[str] = []
    for kind, read in _READERS.items():
        if kind in kinds:
            try:
                return read(text.strip())
            except ValueError as error:
                problems.append(str(error))
    raise ValueError("; ".join(problems) or f"it must be {' or '.join(sorted(kinds))}")


def loosened(arguments: JSONObject, spec: ToolSpec) -> JSONObject:
    """Return native `arguments` with texts read where the schema allows no text.

    A value that cannot be read so stays as it is.
    """
    return {name: _loosened(value, name, spec) for name, value in arguments.items()}


def _loosened(value: JSON, name: str, spec: ToolSpec) -> JSON:
    schema = spec.properties.get(name)
    if not isinstance(value, str) or schema is None:
        return value
    try:
        return coerce(value, schema, spec)
    except ValueError:
        return value


def _boolean(text: str) -> JSON:
    word = text.lower()
    if word not in _WORDS:
        raise ValueError(f"it must be true or false, not {_short(text)}")
    return _WORDS[word]


def _integer(text: str) -> JSON:
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"it must be a whole number, not {_short(text)}")
    return int(text)


def _number(text: str) -> JSON:
    if _INTEGER.fullmatch(text):
        return int(text)
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise ValueError(f"it must be a number, not {_short(text)}")
    return float(text)


def _null(text: str) -> JSON:
    if text.lower() not in {"null", "none", ""}:
        raise ValueError(f"it must be null, not {_short(text)}")
    return None


def _object(text: str) -> JSON:
    return _structure(text or "{}", "object", "a JSON object")


def _array(text: str) -> JSON:
    return _structure(text or "[]", "array", "a JSON array")


def _structure(text: str, kind: str, words: str) -> JSON:
    try:
        value = parse_json(text)
    except ValueError as error:
        raise ValueError(f"it must be {words}: {error}") from error
    if not has_type(value, kind):
        raise ValueError(f"it must be {words}, not {_short(text)}")
    return value


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHORT else f"{text[:_SHORT]}…")


_READERS: Final[Mapping[str, Callable[[str], JSON]]] = {
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "null": _null,
    "object": _object,
    "array": _array,
}
