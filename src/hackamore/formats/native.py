"""The native format: the provider's own interface for tools."""

from collections.abc import Sequence

from hackamore.core.format import FormatEvent, Parser, TextOut
from hackamore.core.messages import Message
from hackamore.core.model import CallPiece, FinishReason
from hackamore.core.tools import ToolSpec
from hackamore.formats.native_calls import NativeCalls


class NativeParser:
    """Reads one answer: its text is text, its calls come in pieces of their own."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._calls = NativeCalls(tools)

    def feed(self, text: str) -> Sequence[FormatEvent]:
        """Take more of the answer's text."""
        return (TextOut(text),) if text else ()

    def feed_call(self, piece: CallPiece) -> Sequence[FormatEvent]:
        """Take a piece of a call."""
        return self._calls.feed(piece)

    def close(self, finish: FinishReason = "stop") -> Sequence[FormatEvent]:
        """The answer is over: return the calls."""
        return self._calls.close(finish)


class NativeFormat:
    """Calls as the provider's interface has them."""

    @property
    def name(self) -> str:
        """The format's name."""
        return "native"

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

    def parser(self, tools: Sequence[ToolSpec]) -> Parser:
        """Return a parser for one answer of a model that was offered `tools`."""
        return NativeParser(tools)
