"""A quick yes for what nearly all calls are: plain values in a flat object.

A whole schema check costs a tenth of a call. This one knows only types of single values, and says
nothing (False) about everything else, which the whole check then judges.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast

from hackamore.core.json import JSONObject

Fits: TypeAlias = Callable[[Any], bool]

_NOTES: Final = frozenset({"type", "description", "title", "default", "examples", "deprecated"})
_ROOT: Final = frozenset(
    {"type", "properties", "required", "additionalProperties", "title", "description", "$schema"}
)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_boolean(value: object) -> bool:
    return isinstance(value, bool)


_TYPES: Final[Mapping[str, Fits]] = {
    "string": _is_text,
    "integer": _is_integer,
    "number": _is_number,
    "boolean": _is_boolean,
}


def plain_fit(schema: JSONObject) -> Fits | None:
    """Return a function that is True only for arguments that surely fit; None for other schemas."""
    properties = schema.get("properties")
    if not _ROOT.issuperset(schema) or not isinstance(properties, Mapping):
        return None
    checks: dict[str, Fits] = {}
    for name, value in properties.items():
        if isinstance(value, Mapping) and _NOTES.issuperset(value):
            fits = _TYPES.get(str(value.get("type")))
            if fits is not None:
                checks[name] = fits
    required = schema.get("required")
    needed = frozenset(
        map(str, cast("list[object]", required if isinstance(required, list) else []))
    )

    def surely_fits(arguments: Mapping[str, Any]) -> bool:
        return needed.issubset(arguments) and all(
            name in checks and checks[name](value) for name, value in arguments.items()
        )

    return surely_fits
