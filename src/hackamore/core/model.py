"""The port to chat models: a request goes in, pieces of the answer come out."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from hackamore.core.messages import Message
from hackamore.core.tools import ToolSpec

FinishReason: TypeAlias = Literal["stop", "tool_calls", "length", "filter", "unknown"]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request; the model keeps nothing between two.

    Attributes:
        messages: The whole conversation, already in the form that the tool-call format wants.
        tools: Tools offered natively; empty when the format is text.
        stop: Strings that end the answer and are not part of it.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Some of the answer's words."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingPiece:
    """Some of the model's reasoning, where the provider keeps it apart."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """Some of a native tool call; pieces of one call share `index`.

    Attributes:
        index: Which call of the message.
        id: The provider's id; empty after the first piece.
        name: The tool's name; empty after the first piece.
        arguments: A piece of the arguments' JSON text.
    """

    index: int
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Tokens that the request cost."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer is over; `reason` says whether it was whole."""

    reason: FinishReason


ModelEvent: TypeAlias = TextPiece | ThinkingPiece | CallPiece | UsageReport | Finished


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What is known of a model.

    Attributes:
        name: ``provider:model``.
        tool_format: The tool-call format that suits it.
        prompt: ``small`` for models that read slowly and forget much.
        context: Tokens that it takes, or None when unknown.
        sampling: Passed to the provider (``temperature`` and so on).
    """

    name: str
    tool_format: str = "auto"
    prompt: Literal["full", "small"] = "full"
    context: int | None = None
    sampling: Mapping[str, float] = field(default_factory=dict[str, float])


class Model(Protocol):
    """A chat model."""

    @property
    def profile(self) -> ModelProfile:
        """What is known of it."""
        ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the answer piece by piece, `Finished` last; closing the generator stops it.

        Raises:
            ModelError: The provider refused or failed; see its subclasses.
        """
        ...
