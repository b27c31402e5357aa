"""JSON as it is, not as it might have been meant: no NaN, no key twice.

Line breaks inside strings are taken, since they can mean one thing only.
"""

import json
from typing import NoReturn, cast

from hackamore.core.json import JSON


def parse_json(text: str) -> JSON:
    """Return the value that `text` holds.

    Raises:
        ValueError: It holds none; the words say what is wrong and where.
    """
    try:
        value = cast(
            "JSON",
            json.loads(
                text, strict=False, parse_constant=_no_constant, object_pairs_hook=_no_twice
            ),
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"{error.msg} at {place}") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return value


def write_json(value: JSON) -> str:
    """Return `value` as JSON, in one line, readable."""
    return json.dumps(value, ensure_ascii=False)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _no_twice(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return found
