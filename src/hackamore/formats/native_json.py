"""Reads the arguments of a native call: strictly, and with a repair only where one is possible.

Arguments that were cut off look much like arguments that are whole. So a missing end is never
made up for, except for tools that only read and where nothing but closing brackets is missing.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, cast

from hackamore.core.effects import Effect
from hackamore.core.json import JSON, JSONObject
from hackamore.core.tools import ToolSpec
from hackamore.formats.coerce import loosened
from hackamore.formats.schema import fits_object
from hackamore.formats.strict_json import parse_json

_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+(?:(")|\\?\Z)', re.DOTALL)
"""A string, or the beginning of one that never ends; group 1 is the closing quote."""

_TRAILING_COMMA: Final = re.compile(rf"({_STRING.pattern})|,(?=\s*[}}\]])", re.DOTALL)
_CLOSING: Final = {"{": "}", "[": "]"}


def read_arguments(text: str, spec: ToolSpec | None, *, whole: bool) -> JSONObject:
    """Return the arguments that `text` holds.

    Args:
        text: As the provider sent it; empty means no arguments.
        spec: The tool, where it is known.
        whole: Whether the answer ended by itself.

    Raises:
        ValueError: There are none that can be trusted; the words say why.
    """
    if whole and text.strip() in {"", "null"}:
        return {}
    try:
        value = parse_json(text)
    except ValueError as error:
        repaired = _repaired(text, spec) if whole and spec is not None else None
        if repaired is None:
            raise ValueError(f"The arguments are not valid JSON: {error}.") from error
        return repaired
    if isinstance(value, str):
        value = parse_json(value)
    if isinstance(value, Mapping):
        return value if spec is None else loosened(value, spec)
    raise ValueError(f"The arguments must be a JSON object, not {json.dumps(value)[:40]}.")


def is_cut(text: str) -> bool:
    """Whether `text` is JSON that stops before its end."""
    rest = _outside_strings(text)
    return '"' in rest or _missing_brackets(rest) not in {"", None}


def _repaired(text: str, spec: ToolSpec) -> JSONObject | None:
    """Return the arguments when exactly one repair gives some that fit the schema."""
    found: list[JSONObject] = []
    for value in _candidates(text, spec):
        if isinstance(value, Mapping):
            arguments = loosened(value, spec)
            if fits_object(arguments, spec.parameters) and arguments not in found:
                found.append(arguments)
    return found[0] if len(found) == 1 else None


def _candidates(text: str, spec: ToolSpec) -> Iterable[JSON]:
    repairs: list[Callable[[str], JSON]] = [_without_commas, _written_twice, _python]
    if spec.effect is Effect.READ:
        repairs.append(_with_brackets)
    for repair in repairs:
        try:
            yield repair(text)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue


def _without_commas(text: str) -> JSON:
    return parse_json(_TRAILING_COMMA.sub(lambda found: found[1] or "", text))


def _written_twice(text: str) -> JSON:
    """Some servers send the whole arguments after their pieces."""
    value, end = json.JSONDecoder(strict=False).raw_decode(text.strip())
    if parse_json(text.strip()[end:]) != value:
        raise ValueError("two different values")
    return cast("JSON", value)


def _python(text: str) -> JSON:
    """Some models write a Python dict."""
    if "\\" in text:
        raise ValueError("escapes that mean one thing here and another there")
    tree = ast.parse(text.strip(), mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = [ast.dump(key) for key in node.keys if key is not None]
            if len(set(keys)) < len(node.keys):
                raise ValueError("a key stands twice")
    return parse_json(json.dumps(ast.literal_eval(tree)))


def _with_brackets(text: str) -> JSON:
    missing = _missing_brackets(_outside_strings(text))
    if not missing or not text.rstrip().endswith(('"', "}", "]")):
        raise ValueError("more is missing than brackets")
    return parse_json(text + missing)


def _outside_strings(text: str) -> str:
    """Return `text` without its strings; a quote stands for one that never ends."""
    return _STRING.sub(lambda found: "" if found[1] else '"', text)


def _missing_brackets(text: str) -> str | None:
    """Return what would close the brackets of `text`, or None when they do not match."""
    missing: list[str] = []
    for character in text:
        if character in _CLOSING:
            missing.append(_CLOSING[character])
        elif character in "}]" and (not missing or missing.pop() != character):
            return None
    return "".join(reversed(missing))
