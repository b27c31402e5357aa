"""The format for models that call natively, but may fall back to writing calls in their text."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hackamore.core.format import Format, FormatEvent, Parser
from hackamore.core.messages import Message
from hackamore.core.model import CallPiece, FinishReason
from hackamore.core.tools import ToolSpec
from hackamore.formats.native_calls import NativeCalls
from hackamore.formats.xml import XmlFormat


class AutoParser:
    """Reads one answer: native calls as such, and its text with the parser of a text format."""

    def __init__(self, tools: Sequence[ToolSpec], text: Parser) -> None:
        self._calls = NativeCalls(tools)
        self._text = text

    def feed(self, text: str) -> Sequence[FormatEvent]:
        """Take more of the answer's text."""
        return self._text.feed(text)

    def feed_call(self, piece: CallPiece) -> Sequence[FormatEvent]:
        """Take a piece of a native call."""
        return self._calls.feed(piece)

    def close(self, finish: FinishReason = "stop") -> Sequence[FormatEvent]:
        """The answer is over: return what was held back, and the calls, those in text first."""
        return [*self._text.close(finish), *self._calls.close(finish)]


@dataclass(frozen=True, slots=True)
class AutoFormat:
    """Native calls, and calls in the text all the same.

    Attributes:
        text: The format of calls in the text; its parser also tells thinking apart.
    """

    text: Format = field(default_factory=XmlFormat)

    @property
    def name(self) -> str:
        """The format's name."""
        return "auto"

    @property
    def native(self) -> bool:
        """Tools are offered through the provider's interface."""
        return True

    @property
    def stop(self) -> tuple[str, ...]:
        """There is nothing to stop at."""
        return ()

    def instructions(self, tools: Sequence[ToolSpec]) -> str:
        """Return nothing: the provider tells the model."""
        del tools
        return ""

    def encode(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return `messages` as they are."""
        return tuple(messages)

    def parser(self, tools: Sequence[ToolSpec]) -> AutoParser:
        """Return a parser for one answer of a model that was offered `tools`."""
        return AutoParser(tools, self.text.parser(tools))
