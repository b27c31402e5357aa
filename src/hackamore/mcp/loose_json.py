"""JSON as people write it in settings files: with comments, trailing commas and a byte order mark.

Pure. Linear in the text, whatever it holds.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

_STRING: Final = r'"(?:[^"\\]|\\.)*+"?'
_COMMENT: Final = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA: Final = re.compile(rf"({_STRING})|,(?=\s*[\]}}])", re.DOTALL)
_NOT_LINE_END: Final = re.compile(r"[^\n]")


class LooseJSONError(ValueError):
    """The text is not JSON; the message says where."""


class RepeatingObject(dict[str, Any]):
    """A JSON object that remembers which names stood in it more than once (the last one counts).

    Attributes:
        repeated: Those names.
    """

    def __init__(self, pairs: Iterable[tuple[str, Any]] = ()) -> None:
        pairs = list(pairs)
        super().__init__(pairs)
        times = Counter(name for name, _ in pairs)
        self.repeated = tuple(name for name in self if times[name] > 1)


def parse_loose_json(text: str) -> object:
    """Return the value that the text holds, with objects as `RepeatingObject`.

    Raises:
        LooseJSONError: It is not JSON, or is nested too deep.
    """
    try:
        return json.loads(strict_json(text), object_pairs_hook=RepeatingObject)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise LooseJSONError(f"{where}: {error.msg}") from error
    except ValueError as error:
        raise LooseJSONError("it holds a number that is too long") from error
    except RecursionError as error:
        raise LooseJSONError("it is nested too deep") from error


def strict_json(text: str) -> str:
    """Return the text with spaces for all that is not JSON: every other character keeps its place.

    A byte order mark in front counts as a place too.
    """
    plain = _TRAILING_COMMA.sub(_blank, _COMMENT.sub(_blank, text))
    return " " + plain[1:] if plain.startswith("\ufeff") else plain


def _blank(found: re.Match[str]) -> str:
    """Put spaces where a comment or comma stood, so that lines and columns stay what they were."""
    return found.group(1) or _NOT_LINE_END.sub(" ", found.group())
