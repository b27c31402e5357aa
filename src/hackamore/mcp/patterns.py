"""Regular expressions of servers: matched only where that surely ends soon.

A pattern may be written for another engine, or take for ever on the right text. So before it is
tried, the ways are counted in which it could be matched; what has too many is left to the server.
Pure.
"""

import re
import warnings
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

_PARSER: Final[Any] = import_module("re._parser")
_MOST_STEPS: Final = 2_000_000.0
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_INNER: Final = {"SUBPATTERN": -1, "ATOMIC_GROUP": 0, "ASSERT": 1, "ASSERT_NOT": 1}


def matches(pattern: str, text: str) -> bool | None:
    """Return whether `text` matches somewhere; None when that cannot be known soon."""
    parts = _parts(pattern)
    if parts is None or _steps(parts, len(text)) > _MOST_STEPS:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.search(pattern, text) is not None


@lru_cache(maxsize=1024)
def _parts(pattern: str) -> Any | None:  # noqa: ANN401  # the parser's own types
    """Return what `pattern` is made of; None when it is for another engine."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            re.compile(pattern)
            return None if "[:" in pattern else _PARSER.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return None


def _steps(parts: Any, length: int) -> float:  # noqa: ANN401
    """Return how many ways there are to try, from all places of a text, at most."""
    ways = _of_all(parts, length)
    is_anchored = bool(len(parts)) and str(parts[0][0]) == "AT" and "BEGIN" in str(parts[0][1])
    return ways + length if is_anchored else ways * max(length, 1)


def _of_all(parts: Any, length: int) -> float:  # noqa: ANN401
    ways = 1.0
    for operation, argument in parts:
        ways *= _of_one(str(operation), argument, length)
    return ways


def _of_one(operation: str, argument: Any, length: int) -> float:  # noqa: ANN401
    if operation in _REPEATS:
        least, most, inner = argument
        most = min(int(most), max(length, least))
        return (most - least + 1) * _power(_of_all(inner, length), most)
    if operation == "BRANCH":
        return sum(_of_all(branch, length) for branch in argument[1])
    if operation in _INNER:
        return _of_all(argument[_INNER[operation]], length)
    plain = operation not in ("GROUPREF", "GROUPREF_EXISTS")
    return 1.0 if plain else float("inf")


def _power(base: float, exponent: int) -> float:
    try:
        return base**exponent
    except OverflowError:
        return float("inf")
