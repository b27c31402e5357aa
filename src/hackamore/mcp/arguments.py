"""The arguments of a call against the server's own schema: checked here, before they are sent.

What passes goes to the server value for value. Two mistakes that models make are mended where the
schema leaves no other reading: JSON written as a string, and null for an argument that may be left
out but not be null.
"""

import copy
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.exceptions import SchemaError, best_match  # pyright: ignore[reportUnknownVariableType]
from jsonschema.validators import extend, validator_for  # pyright: ignore[reportUnknownVariableType]
from referencing import Registry
from referencing.exceptions import Unresolvable

from hackamore.core.codes import Code
from hackamore.core.errors import UsageError
from hackamore.core.json import JSONObject
from hackamore.mcp.patterns import matches
from hackamore.mcp.plain_schema import plain_fit

_MOST_NAMED: Final = 5
_LONGEST: Final = 300
_UNCHECKABLE: Final = (
    *(Unresolvable, RecursionError, SchemaError),
    *(TypeError, ValueError, ArithmeticError, re.error),
)
"""What a schema can raise that is none, or is for another validator."""


class ArgumentCheck:
    """Checks the arguments of one tool. A schema that is none lets everything pass."""

    def __init__(self, schema: JSONObject) -> None:
        self._validator = _validator(schema)
        self._surely_fits = plain_fit(schema)

    @property
    def works(self) -> bool:
        """Whether the schema can be used at all."""
        return self._validator is not None

    def checked(self, arguments: JSONObject) -> dict[str, Any]:
        """Return what is to be sent.

        Raises:
            UsageError: The arguments do not fit; names each place and what is allowed there.
        """
        given = dict(arguments)
        if self._surely_fits is not None and self._surely_fits(given):
            return given
        if not (errors := self._errors(given)):
            return given
        mended = copy.deepcopy(given)
        tried = [_mend(mended, error) for error in errors]
        if any(tried):
            errors = self._errors(mended)
        if errors:
            raise UsageError(
                "The arguments do not fit the tool: "
                + "; ".join(_words(error) for error in errors[:_MOST_NAMED])
                + ". Nothing was sent.",
                code=Code.INVALID_REQUEST,
            )
        return mended

    def _errors(self, arguments: Mapping[str, Any]) -> list[ValidationError]:
        """Return what is wrong; nothing where the schema itself cannot be followed."""
        if self._validator is None:
            return []
        try:
            return list(_leaves(self._validator.iter_errors(arguments)))  # pyright: ignore[reportUnknownMemberType]
        except _UNCHECKABLE:
            return []


def result_problem(schema: JSONObject, structured: object) -> str | None:
    """Return in what a result breaks its tool's output schema; None when it does not."""
    validator = _validator(schema)
    if validator is None:
        return None
    try:
        error = next(iter(validator.iter_errors(structured)), None)  # pyright: ignore[reportUnknownMemberType]
    except _UNCHECKABLE:
        return None
    return None if error is None else _words(error)


def _validator(schema: JSONObject) -> Any:  # noqa: ANN401  # jsonschema's classes share no type
    """Return a validator that never fetches anything, or None for a schema that is none."""
    if not isinstance(schema.get("$schema", ""), str):
        schema = {name: value for name, value in schema.items() if name != "$schema"}
    try:
        kind: Any = cast(Any, validator_for)(schema, default=Draft202012Validator)
        kind.check_schema(schema, format_checker=FormatChecker(()))
    except _UNCHECKABLE:
        return None
    careful: Any = cast(Any, extend)(kind, _careful(kind))
    return careful(schema, registry=cast(Any, Registry)())


def _careful(kind: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the keywords that hold patterns, checked only where that surely ends soon."""

    def additional(validator: Any, extra: Any, instance: Any, schema: Any) -> Any:  # noqa: ANN401
        patterns = schema.get("patternProperties")
        if patterns and isinstance(instance, dict):
            unnamed = cast("dict[str, Any]", instance).items()
            instance = {name: value for name, value in unnamed if _is_none_of(patterns, name)}
            schema = {key: value for key, value in schema.items() if key != "patternProperties"}
        yield from kind.VALIDATORS["additionalProperties"](validator, extra, instance, schema)

    return {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": additional,
    }


def _is_none_of(patterns: Mapping[str, Any], name: str) -> bool:
    return all(matches(pattern, name) is False for pattern in patterns)


def _pattern(
    validator: object, pattern: object, instance: object, schema: object
) -> Iterator[ValidationError]:
    del validator, schema
    if not isinstance(instance, str) or not isinstance(pattern, str):
        return
    if matches(pattern, instance) is False:
        yield ValidationError(f"{_short(repr(instance), _LONGEST // 2)} does not match {pattern!r}")


def _pattern_properties(
    validator: Any,  # noqa: ANN401
    patterns: Any,  # noqa: ANN401
    instance: Any,  # noqa: ANN401
    schema: object,
) -> Iterator[ValidationError]:
    del schema
    if not isinstance(instance, dict):
        return
    for pattern, inner in patterns.items():
        for name, value in cast("dict[str, Any]", instance).items():
            if matches(pattern, name):
                yield from validator.descend(value, inner, path=name, schema_path=pattern)


def _leaves(errors: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    """Yield the errors at the places where they are, not those of a choice as a whole."""
    for error in errors:
        inner = cast("list[ValidationError]", error.context or [])
        best: Any = cast(Any, best_match)(inner) if inner else None
        if isinstance(best, ValidationError) and len(best.absolute_path) > len(error.absolute_path):
            yield best
        else:
            yield error


def _mend(arguments: dict[str, Any], error: ValidationError) -> bool:
    """Mend the value that `error` is about, in place; return whether that was possible."""
    path = list(error.absolute_path)
    if not path:
        return False
    holder: Any = arguments
    for step in path[:-1]:
        holder = holder[step]
    name, value = path[-1], error.instance
    if isinstance(value, str) and _takes_no_text(error):
        parsed = _parsed(value)
        if parsed is None:
            return False
        holder[name] = parsed
        return True
    if value is None and isinstance(holder, dict) and error.validator != "required":
        cast("dict[str, Any]", holder).pop(cast(str, name), None)
        return True
    return False


def _takes_no_text(error: ValidationError) -> bool:
    """Whether the schema at the place of `error` takes no text, whatever it says."""
    if error.validator == "type":
        return True
    if error.validator not in ("anyOf", "oneOf"):
        return False
    inner = error.context or []
    choices = {one.relative_schema_path[0] for one in inner}
    by_type = {
        one.relative_schema_path[0]
        for one in inner
        if not one.relative_path and _takes_no_text(one)
    }
    return bool(choices) and choices == by_type


def _parsed(text: str) -> Any:  # noqa: ANN401  # any object or list
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_structure = isinstance(value, dict | list)
    return cast(Any, value) if is_structure else None


def _words(error: ValidationError) -> str:
    place = _place(error)
    at = f"{place}: " if place else ""
    if error.validator in ("enum", "const"):
        value: Any = error.validator_value
        allowed: list[Any] = value if error.validator == "enum" else [value]
        choices = ", ".join(json.dumps(one, ensure_ascii=False) for one in allowed)
        return f"{at}{_short(repr(error.instance))} is not one of {choices}"
    return f"{at}{_short(error.message)}"


def _place(error: ValidationError) -> str:
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path]
    return "".join(steps).lstrip(".")


def _short(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
