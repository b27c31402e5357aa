"""Requests of the host, read field by field."""

from collections.abc import Mapping, Sequence

from hackamore.core.codes import Code
from hackamore.core.json import JSON, JSONObject
from hackamore.sandbox.worker.refusal import Refusal


def text(header: JSONObject, name: str) -> str:
    """Return a text field that must be there."""
    value = header.get(name)
    if not isinstance(value, str):
        raise _bad(name)
    return value


def path(header: JSONObject) -> str:
    """Return the field ``path``, which must name something."""
    value = text(header, "path")
    if not value or "\0" in value:
        raise Refusal(Code.INVALID_REQUEST, "The path is empty or holds a NUL byte.")
    return value


def optional_text(header: JSONObject, name: str) -> str | None:
    """Return a text field, or None."""
    return None if header.get(name) is None else text(header, name)


def number(header: JSONObject, name: str) -> float:
    """Return a number that must be there."""
    value = header.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad(name)
    return value


def integer(header: JSONObject, name: str) -> int:
    """Return a whole number that must be there."""
    return int(number(header, name))


def flag(header: JSONObject, name: str) -> bool:
    """Return a truth value that must be there."""
    value = header.get(name)
    if not isinstance(value, bool):
        raise _bad(name)
    return value


def texts(header: JSONObject, name: str) -> tuple[str, ...]:
    """Return a list of texts."""
    value = header.get(name)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise _bad(name)
    return tuple(str(item) for item in value)


def pairs(header: JSONObject, name: str) -> dict[str, str]:
    """Return an object whose values are texts."""
    value: JSON = header.get(name)
    if not isinstance(value, Mapping):
        raise _bad(name)
    return {key: str(item) for key, item in value.items()}


def _bad(name: str) -> Refusal:
    return Refusal(Code.INVALID_REQUEST, f"The field {name} is missing or of the wrong kind.")
