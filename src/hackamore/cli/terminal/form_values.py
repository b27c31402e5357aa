"""The values of a form's fields: what an answer means, and whether it fits.

Pure.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NoReturn, TypeAlias, cast
from urllib.parse import urlsplit

from hackamore.cli.terminal.form_fields import FormField
from hackamore.core.json import JSON

_YES: Final = frozenset({"y", "yes", "true", "1"})
_NO: Final = frozenset({"n", "no", "false", "0"})
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+")
_HALF_A_CHARACTER: Final = re.compile("[\ud800-\udfff]")
_NONE: Final = "none"
_LARGEST: Final = 10**15


class Nonsense(ValueError):
    """An answer that the field does not take; the message says what it takes."""


def read(field: FormField, text: str) -> JSON:
    """Return what an answer means.

    Raises:
        Nonsense: The field does not take it.
    """
    if not text.strip():
        raise Nonsense("This needs an answer.")
    return _checked(field, _READERS[field.kind](field, text))


def default_of(field: FormField) -> JSON:
    """Return the value of an empty answer, or None when there is none that fits."""
    value = field.schema.get("default")
    try:
        return None if value is None else _checked(field, value)
    except Nonsense:
        return None


def _checked(field: FormField, value: JSON) -> JSON:
    _CHECKS[field.kind](field, value)
    return value


def _read_number(_: FormField, text: str) -> JSON:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        raise Nonsense("This must be a number.") from None
    return int(number) if number.is_integer() else number


def _read_boolean(_: FormField, text: str) -> JSON:
    word = text.strip().lower()
    return True if word in _YES else False if word in _NO else text


def _read_choice(field: FormField, text: str) -> JSON:
    word = text.strip()
    if word.isascii() and word.isdigit() and 0 < int(word) <= len(field.choices):
        return field.choices[int(word) - 1].value
    named = [one.value for one in field.choices if word in (one.value, one.title)]
    return named[0] if named else text


def _read_choices(field: FormField, text: str) -> JSON:
    if text.strip().lower() == _NONE:
        return []
    found = [_read_choice(field, word) for word in text.split(",")]
    return list(dict.fromkeys(cast(list[str], found)))


def _read_json(_: FormField, text: str) -> JSON:
    try:
        found: JSON = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Nonsense("This must be JSON.") from None
    return found


def _refuse(_: str) -> NoReturn:
    raise ValueError("JSON knows finite numbers only")


def _check_string(field: FormField, value: JSON) -> None:
    if not isinstance(value, str):
        raise Nonsense("This must be a text.")
    if _HALF_A_CHARACTER.search(value):
        raise Nonsense("This holds something that is no character.")
    _check_size(field, len(value), ("minLength", "maxLength"), "characters")
    check = _FORMATS.get(str(field.schema.get("format")))
    if check is not None and not check(value):
        raise Nonsense(f"This must be of the form {field.schema.get('format')}.")


def _check_number(field: FormField, value: JSON) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Nonsense("This must be a number.")
    if isinstance(value, float) and not math.isfinite(value):
        raise Nonsense("This must be a finite number.")
    if field.kind == "integer" and not isinstance(value, int):
        raise Nonsense("This must be a whole number.")
    _check_size(field, value, ("minimum", "maximum"), "")


def _check_boolean(_: FormField, value: JSON) -> None:
    if not isinstance(value, bool):
        raise Nonsense("This must be yes or no.")


def _check_choice(field: FormField, value: JSON) -> None:
    if value not in [one.value for one in field.choices]:
        raise Nonsense(f"This must be a number from 1 to {len(field.choices)}.")


def _check_choices(field: FormField, value: JSON) -> None:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise Nonsense("This must be numbers with commas between.")
    for one in value:
        _check_choice(field, one)
    _check_size(field, len(value), ("minItems", "maxItems"), "choices")


def _check_json(_: FormField, value: JSON) -> None:
    """Take anything: what the server means by it, it checks itself."""


def _check_size(field: FormField, size: float, keys: tuple[str, str], unit: str) -> None:
    least, most = (_number(field.schema.get(key)) for key in keys)
    if least is not None and size < least:
        raise Nonsense(f"This must be at least {least:g} {unit}".rstrip() + ".")
    if most is not None and size > most:
        raise Nonsense(f"This must be at most {most:g} {unit}".rstrip() + ".")


def _is_uri(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme and (parts.netloc or parts.path)) and not re.search(r"\s", text)


def _parses(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return True

    return check


def _number(value: object) -> float | None:
    """Return a limit that the server sets, if it is a number that makes sense."""
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    return cast(float, value) if fits and abs(cast(float, value)) < _LARGEST else None


_FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "email": lambda text: _EMAIL.fullmatch(text) is not None,
    "uri": _is_uri,
    "date": _parses(date.fromisoformat),
    "date-time": _parses(datetime.fromisoformat),
}
_Reader: TypeAlias = Callable[[FormField, str], JSON]
_Check: TypeAlias = Callable[[FormField, JSON], None]
_READERS: Final[Mapping[str, _Reader]] = {
    "string": lambda _, text: text,
    "integer": _read_number,
    "number": _read_number,
    "boolean": _read_boolean,
    "choice": _read_choice,
    "choices": _read_choices,
    "json": _read_json,
}
_CHECKS: Final[Mapping[str, _Check]] = {
    "string": _check_string,
    "integer": _check_number,
    "number": _check_number,
    "boolean": _check_boolean,
    "choice": _check_choice,
    "choices": _check_choices,
    "json": _check_json,
}
