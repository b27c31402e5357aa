"""Messages: what the history is made of, the same for every model and every tool-call format."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from hackamore.core.json import JSONObject


@dataclass(frozen=True, slots=True)
class Text:
    """Words for the reader."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """What the model thought aloud; shown, never executed."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture.

    Attributes:
        media_type: For example ``image/png``.
        data: The bytes of the file.
    """

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What the model asked for.

    Attributes:
        id: Unique within the session; a `ToolResult` answers it.
        name: The tool's name as the model was shown it.
        arguments: The values exactly as the model gave them.
    """

    id: str
    name: str
    arguments: JSONObject


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of a `ToolCall`, as the model reads it."""

    call_id: str
    name: str
    text: str
    is_error: bool = False


Part: TypeAlias = Text | Thinking | Image | ToolCall | ToolResult
Role: TypeAlias = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. A ``tool`` message holds the results of the assistant message before it."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The words of all `Text` parts, joined."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls, in the order asked."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    def results(self) -> Iterator[ToolResult]:
        """Yield the tool results that this message holds."""
        return (part for part in self.parts if isinstance(part, ToolResult))


def system(text: str) -> Message:
    """Build a system message of one text."""
    return Message("system", (Text(text),))


def user(text: str) -> Message:
    """Build a user message of one text."""
    return Message("user", (Text(text),))


def assistant(text: str) -> Message:
    """Build an assistant message of one text."""
    return Message("assistant", (Text(text),))
