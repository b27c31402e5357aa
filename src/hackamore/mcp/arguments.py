"""The arguments of a call against the server's own schema: checked here, before they are sent.

What passes goes to the server value for value. Two mistakes that models make are mended where the
schema leaves no other reading: JSON written as a string, and null for an argument that may be left
out but not be null.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final, cast

from jsonschema import ValidationError
from jsonschema.exceptions import best_match  # pyright: ignore[reportUnknownVariableType]

from hackamore.core.codes import Code
from hackamore.core.errors import UsageError
from hackamore.core.json import JSONObject
from hackamore.mcp.json_values import plain_json
from hackamore.mcp.plain_schema import plain_fit
from hackamore.mcp.validation import Validation, nodes

_MOST_NAMED: Final = 5
_LONGEST: Final = 300
_LONGEST_CHOICES: Final = 2_000
_LARGEST_RESULT: Final = 20_000
"""Of how many values a result may consist to be checked."""


class ArgumentCheck:
    """Checks the arguments of one tool. A schema that is none lets everything pass."""

    def __init__(self, schema: JSONObject) -> None:
        self._schema = schema
        self._surely_fits = plain_fit(schema)

    @property
    def works(self) -> bool:
        """Whether the schema can be used at all."""
        return self._validation.works

    @cached_property
    def _validation(self) -> Validation:
        """Made when it is first needed: most tools of a server are never called."""
        return Validation(self._schema)

    def checked(self, arguments: JSONObject) -> dict[str, Any]:
        """Return what is to be sent.

        Raises:
            UsageError: The arguments do not fit; names each place and what is allowed there.
        """
        given = plain_json(arguments)
        if self._surely_fits is not None and self._surely_fits(given):
            return given
        if not (errors := self._errors(given)):
            return given
        mended = [_mend(given, error) for error in errors]
        if any(mended):
            errors = self._errors(given)
        if errors:
            raise UsageError(
                "The arguments do not fit the tool: "
                + "; ".join(_words(error) for error in errors[:_MOST_NAMED])
                + ". Nothing was sent.",
                code=Code.INVALID_REQUEST,
            )
        return given

    def _errors(self, given: dict[str, Any]) -> list[ValidationError]:
        return list(_leaves(self._validation.errors(given)))


def result_problem(schema: JSONObject, structured: object) -> str | None:
    """Return in what a result breaks its tool's output schema; None when it does not."""
    if nodes(structured, _LARGEST_RESULT) > _LARGEST_RESULT:
        return None
    errors = Validation(schema).errors(structured)
    return _words(errors[0]) if errors else None


def _leaves(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    """Yield the errors at the places where they are, not those of a choice as a whole."""
    for error in errors:
        inner = error.context or []
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
        return plain_json({"": json.loads(text)})[""]
    except (ValueError, RecursionError, UsageError):
        return None


def _words(error: ValidationError) -> str:
    place = _place(error)
    at = f"{place}: " if place else ""
    if error.validator in ("enum", "const"):
        value: Any = error.validator_value
        allowed: list[Any] = value if error.validator == "enum" else [value]
        choices = ", ".join(json.dumps(one, ensure_ascii=False) for one in allowed)
        shown = _short(choices, _LONGEST_CHOICES)
        return f"{at}{_short(repr(error.instance))} is not one of {shown}"
    return f"{at}{_short(error.message)}"


def _place(error: ValidationError) -> str:
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path]
    return "".join(steps).lstrip(".")


def _short(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
