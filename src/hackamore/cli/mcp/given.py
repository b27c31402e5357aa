"""Arguments as JSON, from the command line or from stdin."""

import json
import sys
from typing import Final, NoReturn, cast

from hackamore.core.errors import UsageError
from hackamore.core.json import JSONObject

_HINT: Final = (
    """Write an object, in single quotes: '{"name": "value"}', or - to read it from stdin."""
)


def read_object(text: str | None) -> JSONObject:
    """Return the JSON object that `text` is, or that stands on stdin when it is ``-``.

    Raises:
        UsageError: It is no JSON object.
    """
    if text is None:
        return {}
    try:
        found: object = json.loads(_stdin() if text == "-" else text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The arguments are not JSON: {error}.", hint=_HINT) from error
    if not isinstance(found, dict):
        raise UsageError("The arguments are no JSON object.", hint=_HINT)
    return cast(JSONObject, found)


def _stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8-sig")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"there is no {constant} in JSON")
