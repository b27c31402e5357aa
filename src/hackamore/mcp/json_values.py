"""The arguments of a call as plain JSON: what cannot be written as JSON is refused, by its place.

Pure.
"""

import math
from collections.abc import Mapping
from typing import Any, Final, cast

from hackamore.core.codes import Code
from hackamore.core.errors import UsageError

_DEEPEST: Final = 200
_LONGEST_PLACE: Final = 200


def plain_json(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of `arguments` in dicts and lists; values stay what they are.

    Raises:
        UsageError: Something is no JSON: NaN and infinite numbers, names that are no text, objects
            of other kinds, structures that hold themselves. Names its place.
    """
    return _object(arguments, "", 0)


def _plain(value: object, place: str, depth: int) -> object:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise _refused(place, f"{value!r} is no number that JSON knows")
    if depth > _DEEPEST:
        raise _refused(place, "it is nested too deep, or holds itself")
    if isinstance(value, Mapping):
        return _object(cast("Mapping[object, object]", value), place, depth)
    if isinstance(value, list | tuple):
        items = cast("list[object]", value)
        return [_plain(item, f"{place}[{at}]", depth + 1) for at, item in enumerate(items)]
    raise _refused(place, f"a value of the type {type(value).__name__} is no JSON")


def _object(found: Mapping[Any, Any], place: str, depth: int) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, value in found.items():
        if not isinstance(name, str):
            raise _refused(place, f"the name {name!r} is no text")
        plain[name] = _plain(value, f"{place}.{name}" if place else name, depth + 1)
    return plain


def _refused(place: str, words: str) -> UsageError:
    at = f"{place[:_LONGEST_PLACE]}: " if place else ""
    return UsageError(
        f"The arguments do not fit the tool: {at}{words}. Nothing was sent.",
        code=Code.INVALID_REQUEST,
    )
