"""Values against a server's JSON Schema, within a budget: what a server wrote must not hold us up.

Nothing is fetched. Every keyword that is looked at costs steps; when they are spent the check ends,
and what was found until then counts. What cannot be followed (see `sound_schema`) says nothing,
neither for nor against, wherever it stands.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import UnknownType
from jsonschema.validators import extend, validator_for  # pyright: ignore[reportUnknownVariableType]
from referencing import Registry
from referencing.exceptions import Unresolvable

from hackamore.mcp.patterns import matches, ways
from hackamore.mcp.sound_schema import UNKNOWN, Schema, sound

_MOST_STEPS: Final = 20_000
_LARGEST: Final = 50_000
_VALUES_A_STEP: Final = 200
_WAYS_A_STEP: Final = 100
_CHARACTERS_A_STEP: Final = 200
_NOT_FOLLOWED: Final = (Unresolvable, UnknownType, TypeError, ValueError, ArithmeticError)
_NOT_FOLLOWED_LOOKUPS: Final = (AttributeError, LookupError)
_ALL_COUNT: Final = frozenset({"const", "enum", "required", "dependentRequired", "type"})
_INVERTING: Final = frozenset({"not", "oneOf", "if", "contains", "disallow"})
_REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_UNBOUNDED: Final = frozenset({"unevaluatedItems", "unevaluatedProperties"})

Errors: TypeAlias = Iterator[ValidationError]
Keyword: TypeAlias = Callable[[Any, Any, Any, Any], Errors | None]
"""Given a validator, the keyword's value, the instance and the schema."""


class Validation:
    """Validates against one schema; one that is none lets everything pass."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._size = nodes(schema, _LARGEST)
        self._validator = None if self._size > _LARGEST else _validator(schema)

    @property
    def works(self) -> bool:
        """Whether the schema can be followed at all."""
        return self._validator is not None

    def errors(self, instance: object) -> list[ValidationError]:
        """Return what is wrong with `instance`, as far as that could be found out soon."""
        found: list[ValidationError] = []
        if self._validator is None:
            return found
        _BUDGET.begin(self._size)
        try:
            found.extend(self._validator.iter_errors(instance))
        except (_Spent, RecursionError, *_NOT_FOLLOWED, *_NOT_FOLLOWED_LOOKUPS):
            pass
        return found


class _Spent(Exception):
    """The steps of a check are spent."""


class _Budget(threading.local):
    """What a check may still cost; checks do not meet within a thread.

    Attributes:
        left: Steps.
        size: Of how many values the schema consists.
        unknown: How often something could not be followed.
    """

    left = 0
    size = 0
    unknown = 0

    def begin(self, size: int) -> None:
        self.left = _MOST_STEPS
        self.size = size

    def take(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise _Spent


_BUDGET: Final = _Budget()


def nodes(value: object, most: int) -> int:
    """Return of how many values `value` consists; some number above `most` when of more."""
    count = 0
    waiting = [value]
    while waiting and count <= most:
        one = waiting.pop()
        count += 1
        if isinstance(one, dict):
            waiting.extend(cast("dict[str, object]", one).values())
        elif isinstance(one, list):
            waiting.extend(cast("list[object]", one))
    return count


def _validator(schema: Mapping[str, Any]) -> Any | None:  # noqa: ANN401  # no type is shared
    try:
        usable = sound(schema)
        kind: Any = cast(Any, validator_for)(usable, default=Draft202012Validator)
        return _bounded_kind(kind)(usable, registry=cast(Any, Registry)())
    except (RecursionError, ValueError):
        return None


@lru_cache
def _bounded_kind(kind: Any) -> Any:  # noqa: ANN401
    """Return the validator class of a draft with keywords that count their steps."""
    keywords: dict[str, Keyword] = {**kind.VALIDATORS, UNKNOWN: _unknown}
    own: Mapping[str, Keyword] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional(keywords["additionalProperties"]),
        "uniqueItems": _unique,
    }
    keywords |= {name: check for name, check in own.items() if name in keywords}
    keywords |= {name: _unknown for name in _UNBOUNDED if name in keywords}
    keywords |= {name: _reference(keywords[name]) for name in _REFERENCES if name in keywords}
    return cast(Any, extend)(kind, {name: _bounded(name, each) for name, each in keywords.items()})


def _bounded(name: str, check: Keyword) -> Keyword:
    """Return `check` so that it counts its steps and survives what it cannot follow."""
    width = _nodes if name in _ALL_COUNT else _length

    def bounded(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:  # noqa: ANN401
        _BUDGET.take(1 + width(value) + _length(instance))
        try:
            for error in check(validator, value, instance, schema) or ():
                _BUDGET.take(len(error.message) // _CHARACTERS_A_STEP)
                yield error
        except (*_NOT_FOLLOWED, *_NOT_FOLLOWED_LOOKUPS):
            _BUDGET.unknown += 1

    return _certain(bounded) if name in _INVERTING else bounded


def _certain(check: Keyword) -> Keyword:
    """Return `check` so that it finds nothing where something inside could not be followed."""

    def certain(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:  # noqa: ANN401
        before = _BUDGET.unknown
        errors = list(check(validator, value, instance, schema) or ())
        if _BUDGET.unknown == before:
            yield from errors

    return certain


def _reference(check: Keyword) -> Keyword:
    """Return the keyword so that looking its target up is counted too.

    What is not a path from the root is looked for in the whole schema, each time anew.
    """

    def reference(validator: Any, target: str, instance: Any, schema: Any) -> Errors | None:  # noqa: ANN401
        is_path = target == "#" or target.startswith("#/")
        _BUDGET.take(_BUDGET.size // (_VALUES_A_STEP if is_path else 1) + target.count("/"))
        return check(validator, target, instance, schema)

    return reference


def _unknown(validator: object, value: object, instance: object, schema: object) -> None:
    """Stand for what cannot be followed, or not within bounds."""
    del validator, value, instance, schema
    _BUDGET.unknown += 1


def _matches(pattern: str, text: str) -> bool | None:
    found = matches(pattern, text)
    if found is None:
        _BUDGET.unknown += 1
    else:
        _BUDGET.take(int(ways(pattern, text)) // _WAYS_A_STEP)
    return found


def _pattern(validator: object, pattern: str, instance: object, schema: object) -> Errors:
    del validator, schema
    if isinstance(instance, str) and _matches(pattern, instance) is False:
        shown = instance[:_CHARACTERS_A_STEP]
        yield ValidationError(f"{shown!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any,  # noqa: ANN401
    patterns: Mapping[str, Schema],
    instance: object,
    schema: object,
) -> Errors:
    del schema
    if not isinstance(instance, dict):
        return
    for pattern, inner in patterns.items():
        for name, value in cast("dict[str, Any]", instance).items():
            _BUDGET.take(1)
            if _matches(pattern, name):
                yield from validator.descend(value, inner, path=name, schema_path=pattern)


def _additional(check: Keyword) -> Keyword:
    """Return the keyword for what no property and no pattern names."""

    def additional(validator: Any, extra: Any, instance: Any, schema: Any) -> Errors:  # noqa: ANN401
        patterns = schema.get("patternProperties")
        if patterns and isinstance(instance, dict):
            names = cast("dict[str, Any]", instance)
            instance = {name: names[name] for name in names if _is_none_of(patterns, name)}
            schema = {key: value for key, value in schema.items() if key != "patternProperties"}
        yield from check(validator, extra, instance, schema) or ()

    return additional


def _is_none_of(patterns: Mapping[str, Any], name: str) -> bool:
    _BUDGET.take(len(patterns))
    return all(_matches(pattern, name) is False for pattern in patterns)


def _unique(
    validator: object, wanted: bool, instance: object, schema: object
) -> Errors:  # jsonschema's signature
    del validator, schema
    if not wanted or not isinstance(instance, list):
        return
    items = cast("list[object]", instance)
    _BUDGET.take(_nodes(items))
    if len({json.dumps(item, sort_keys=True) for item in items}) < len(items):
        yield ValidationError("it has the same item more than once")


def _length(value: object) -> int:
    return len(cast("list[object]", value)) if isinstance(value, list | dict) else 0


def _nodes(value: object) -> int:
    return nodes(value, _BUDGET.left)
