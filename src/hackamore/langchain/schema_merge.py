"""Two views of a schema as one: both must hold, or either may. Pure.

It serves what a model is shown, so a merge may be looser than the schemas it comes from, never
stranger: the server's own schema is what calls are checked by.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from hackamore.langchain.schema_values import View, with_type

_PLAIN_CHOICE: Final = frozenset({"const", "enum", "type", "title", "description", "default"})


def both(under: View, over: View) -> View:
    """Return a view of what fits `under` and `over`; where they differ, `over` has the word."""
    merged = {**under, **over}
    if "properties" in under and "properties" in over:
        merged["properties"] = _both_properties(under["properties"], over["properties"])
        if merged.get("additionalProperties") is False:
            del merged["additionalProperties"]
    if "required" in under and "required" in over:
        merged["required"] = list(dict.fromkeys([*under["required"], *over["required"]]))
    if "enum" in under and "enum" in over:
        known = set(map(_key, under["enum"]))
        merged["enum"] = [one for one in over["enum"] if _key(one) in known] or over["enum"]
    if "items" in under and "items" in over:
        merged["items"] = both(under["items"], over["items"])
    return merged


def with_choices(view: View, choices: Sequence[View], possible: Sequence[View]) -> View:
    """Return `view` with the parameters of its `choices`, and those that are `possible` besides.

    A parameter is required when `view` or every choice requires it.
    """
    objects = [one for one in choices if _is_object(one)]
    extra: View = {}
    properties = _either_properties([*objects, *possible])
    if properties:
        extra["properties"] = properties
    required = _required_in_all(objects)
    if required:
        extra["required"] = required
    return both(extra, view)


def either(views: Sequence[View]) -> View:
    """Return a view of what fits one of `views`; of anything when there are none."""
    distinct = _distinct(views)
    if not distinct or {} in distinct:
        return {}
    if len(distinct) == 1:
        return distinct[0]
    if all(map(_is_values, distinct)):
        return with_type({"enum": _distinct(value for one in distinct for value in _values(one))})
    return {"anyOf": distinct}


def _is_object(view: View) -> bool:
    return view.get("type", "object") == "object" or "object" in view["type"]


def _both_properties(under: View, over: View) -> View:
    shared = {name: both(under[name], over[name]) for name in under if name in over}
    return {**under, **over, **shared}


def _either_properties(choices: Iterable[View]) -> View:
    found: dict[str, list[View]] = {}
    for choice in choices:
        for name, view in choice.get("properties", {}).items():
            found.setdefault(name, []).append(view)
    return {name: either(views) for name, views in found.items()}


def _is_values(view: View) -> bool:
    return ("const" in view or "enum" in view) and set(view) <= _PLAIN_CHOICE


def _values(view: View) -> list[Any]:
    return [view["const"]] if "const" in view else view["enum"]


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list({_key(value): value for value in values}.values())


def _key(value: object) -> str:
    """Return what tells values apart, also ``1`` from ``true``."""
    return json.dumps(value, sort_keys=True)


def _required_in_all(choices: Sequence[View]) -> list[str]:
    required = [choice.get("required", []) for choice in choices] or [[]]
    in_all = set[str].intersection(*map(set, required))
    return [name for name in required[0] if name in in_all]
