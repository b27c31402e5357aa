"""Enumerations that every provider takes: of texts alone. Pure.

One provider's client refuses a whole request for a number or a null among the values of an
``enum``. As choices of constants they mean the same, and pass.
"""

from typing import Any

from hackamore.langchain.schema_values import View, is_object, with_type


def with_text_enums(view: View) -> View:
    """Return `view` with choices in place of each ``enum``, however deep, of more than texts."""
    view = {keyword: _within(keyword, inner) for keyword, inner in view.items()}
    values: list[Any] = view.get("enum", [])
    if all(isinstance(value, str) for value in values):
        return view
    rest = {name: inner for name, inner in view.items() if name not in ("enum", "type")}
    return {"anyOf": _choices(values), **rest}


def _within(keyword: str, inner: Any) -> Any:  # noqa: ANN401  # whatever a keyword holds
    if keyword in ("properties", "patternProperties"):
        return {name: with_text_enums(one) for name, one in inner.items()}
    if keyword == "anyOf":
        return [with_text_enums(one) for one in inner]
    if keyword in ("items", "additionalProperties", "propertyNames") and is_object(inner):
        return with_text_enums(dict(inner))
    return inner


def _choices(values: list[Any]) -> list[View]:
    texts = [value for value in values if isinstance(value, str)]
    choices: list[View] = [{"type": "string", "enum": texts}] if texts else []
    for value in values:
        if value is None:
            choices.append({"type": "null"})
        elif not isinstance(value, str):
            choices.append(with_type({"const": value}))
    return choices
