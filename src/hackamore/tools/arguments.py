"""Arguments as models write them: other names and numbers in quotes, where they mean one thing."""

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Final, cast

from hackamore.core.errors import UsageError
from hackamore.core.json import JSON, JSONObject
from hackamore.core.tools import ToolSpec

_OTHER_NAMES: Final[Mapping[str, str]] = {
    "file_path": "path",
    "filepath": "path",
    "filename": "path",
    "file": "path",
    "directory": "path",
    "dir_path": "path",
    "folder": "path",
    "text": "content",
    "contents": "content",
    "cmd": "command",
    "pattern": "regex",
    "query": "regex",
    "glob": "file_pattern",
    "offset": "start_line",
    "answer": "result",
}
_YES: Final = ("true", "yes", "1")
_NO: Final = ("false", "no", "0")


class Arguments:
    """The arguments of one call, checked against the tool's parameters."""

    def __init__(self, spec: ToolSpec, given: JSONObject) -> None:
        """Sort the arguments by the parameters that they mean.

        Raises:
            UsageError: One is unknown, given twice or missing; the message names it.
        """
        self._tool = spec.name
        self._values = _by_parameter(spec, given)
        missing = [name for name in spec.required if self._values.get(name) is None]
        if missing:
            raise UsageError(
                f"{spec.name} needs {_listed(missing)}.",
                hint=f"Its parameters are: {_listed(list(spec.properties))}.",
            )

    def text(self, name: str) -> str:
        """Return a text that must be there."""
        value = self._values.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, Mapping | Sequence):
            return json.dumps(value, ensure_ascii=False)
        raise self._wrong(name, "text")

    def optional_text(self, name: str) -> str | None:
        """Return a text, or None when it is not given or empty."""
        return None if self._values.get(name) in (None, "") else self.text(name)

    def integer(self, name: str) -> int | None:
        """Return a whole number, or None."""
        value = self.number(name)
        if value is not None and value != int(value):
            raise self._wrong(name, "a whole number")
        return None if value is None else int(value)

    def number(self, name: str) -> float | None:
        """Return a number, or None."""
        value = self._values.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self._wrong(name, "a number")
        try:
            return float(value)
        except ValueError:
            raise self._wrong(name, "a number") from None

    def flag(self, name: str) -> bool:
        """Return a truth value; not given means no."""
        value = self._values.get(name)
        if value is None or value == "":
            return False
        if isinstance(value, bool):
            return value
        word = str(value).strip().casefold()
        if word not in _YES + _NO:
            raise self._wrong(name, "true or false")
        return word in _YES

    def items(self, name: str) -> tuple[JSON, ...]:
        """Return a list, also one written as JSON text; () when it is none."""
        value = self._values.get(name)
        if isinstance(value, str):
            try:
                value = cast(JSON, json.loads(value))
            except ValueError:
                return ()
        return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else ()

    def raw(self, name: str) -> JSON:
        """Return a value as it was given, or None."""
        return self._values.get(name)

    def _wrong(self, name: str, wanted: str) -> UsageError:
        return UsageError(f"{self._tool}: {name} must be {wanted}.")


def _by_parameter(spec: ToolSpec, given: JSONObject) -> dict[str, JSON]:
    values: dict[str, JSON] = {}
    known = spec.properties
    for name, value in given.items():
        parameter = name if name in known else _OTHER_NAMES.get(name.casefold(), name)
        if parameter not in known:
            raise _unknown(spec, name)
        if parameter in values and values[parameter] != value:
            raise UsageError(f"{spec.name}: {parameter} is given twice, with different values.")
        _check_text(spec, parameter, value)
        values[parameter] = value
    return values


def _check_text(spec: ToolSpec, parameter: str, value: JSON) -> None:
    """Refuse half a surrogate pair, which no file and no pipe can take."""
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            half = f"U+{ord(value[error.start]):04X}"
            raise UsageError(
                f"{spec.name}: {parameter} holds half a character ({half})."
            ) from error


def _unknown(spec: ToolSpec, name: str) -> UsageError:
    near = difflib.get_close_matches(name, list(spec.properties), n=1)
    guess = f" Did you mean {near[0]}?" if near else ""
    return UsageError(
        f"{spec.name} has no parameter {name}.{guess}",
        hint=f"Its parameters are: {_listed(list(spec.properties))}.",
    )


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"
