"""Elicitation: what an MCP server asks the person while it works, and what they answer."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from hackamore.core.json import JSONObject


@dataclass(frozen=True, slots=True)
class FormRequest:
    """A server wants values.

    Attributes:
        server: Who asks.
        message: What it says.
        schema: JSON Schema of an object with flat properties: text, numbers, yes or no, choices.
    """

    server: str
    message: str
    schema: JSONObject


@dataclass(frozen=True, slots=True)
class UrlRequest:
    """A server wants the person to open a page, such as a login of its own.

    Attributes:
        server: Who asks.
        message: What it says.
        url: Opened only by the person, never by us.
    """

    server: str
    message: str
    url: str


ElicitationRequest: TypeAlias = FormRequest | UrlRequest


@dataclass(frozen=True, slots=True)
class ElicitationAnswer:
    """The person's answer; `values` only with ``accept`` to a form.

    ``decline`` is a no, ``cancel`` means that nobody decided.
    """

    action: Literal["accept", "decline", "cancel"]
    values: JSONObject | None = None


NOBODY: ElicitationAnswer = ElicitationAnswer("cancel")
"""The answer when nobody is there."""
