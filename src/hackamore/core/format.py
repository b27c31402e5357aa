"""The port to tool-call formats: how a model is told of tools, and how it asks for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from hackamore.core.messages import Message, ToolCall
from hackamore.core.model import CallPiece, FinishReason
from hackamore.core.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class TextOut:
    """Words for the reader, surely no part of a call."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingOut:
    """Thoughts that stood in the text."""

    text: str


@dataclass(frozen=True, slots=True)
class CallDraft:
    """A call is being written: `text` more of `parameter`. For showing only.

    The first draft of a call has an empty `parameter` and `text`. `call_id` is the id of the
    `CallParsed`, `CallMalformed` or `CallCut` that follows.
    """

    call_id: str
    tool: str
    parameter: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class CallParsed:
    """A whole call that was surely asked for.

    `form` is the name of the format that it was written in, which may differ from the one
    that was asked for. `warning`, when not empty, tells the model what was left out and why.
    """

    call: ToolCall
    form: str
    warning: str = ""


@dataclass(frozen=True, slots=True)
class CallMalformed:
    """A call was meant but cannot be read; nothing runs.

    Attributes:
        call: The call as far as it was understood, for the history.
        problem: For the model: what is wrong, and the right form.
    """

    call: ToolCall
    problem: str


@dataclass(frozen=True, slots=True)
class CallCut:
    """The answer ended inside a call; nothing runs.

    Attributes:
        call: The call as far as it came.
        problem: For the model: what was cut off.
    """

    call: ToolCall
    problem: str


FormatEvent: TypeAlias = TextOut | ThinkingOut | CallDraft | CallParsed | CallMalformed | CallCut


class Parser(Protocol):
    """Reads one answer. Any cutting of the same text gives the same result."""

    def feed(self, text: str) -> Sequence[FormatEvent]:
        """Take more of the answer's text; return what is certain by now."""
        ...

    def feed_call(self, piece: CallPiece) -> Sequence[FormatEvent]:
        """Take a piece of a native tool call."""
        ...

    def close(self, finish: FinishReason = "stop") -> Sequence[FormatEvent]:
        """The answer is over: return what was held back, and the calls."""
        ...


class Format(Protocol):
    """One way of asking for tools."""

    @property
    def name(self) -> str:
        """For example ``xml``."""
        ...

    @property
    def native(self) -> bool:
        """Whether tools are offered through the provider's own interface."""
        ...

    @property
    def stop(self) -> tuple[str, ...]:
        """Strings at which the model has to stop."""
        ...

    def instructions(self, tools: Sequence[ToolSpec]) -> str:
        """Return the part of the system prompt that tells how to call `tools`; may be empty."""
        ...

    def encode(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return `messages` with calls and results written as this format writes them."""
        ...

    def parser(self, tools: Sequence[ToolSpec]) -> Parser:
        """Return a parser for one answer of a model that was offered `tools`."""
        ...
