"""What servers offer besides tools, in our words."""

from dataclasses import dataclass
from typing import Literal

from hackamore.core.content import Content


@dataclass(frozen=True, slots=True)
class ResourceInfo:
    """A resource, or a template of resources.

    Attributes:
        server: Whose.
        uri: Its address, or the template (RFC 6570) when `template`.
        name: For people.
        description: May be empty.
        media_type: When the server says it.
        template: `uri` is a template.
    """

    server: str
    uri: str
    name: str
    description: str = ""
    media_type: str | None = None
    template: bool = False


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """One argument of a prompt."""

    name: str
    description: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class PromptInfo:
    """A prompt that a server offers."""

    server: str
    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptText:
    """One message of a prompt."""

    role: Literal["user", "assistant"]
    content: Content


@dataclass(frozen=True, slots=True)
class Completion:
    """What is to be completed.

    Attributes:
        kind: Of what `name` is: a prompt's name or a template of resources.
        name: Which.
        argument: The argument's name.
        value: What is written so far.
    """

    kind: Literal["prompt", "resource"]
    name: str
    argument: str
    value: str
