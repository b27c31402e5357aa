"""The format for models that call natively, but may fall back to writing calls in their text.

Every form that stands between tags is understood. The lines of ReAct are not: ``Action:`` may
begin a line of any answer, and what was once given out as an answer cannot become a thought.
"""

from collections.abc import Sequence

from hackamore.core.format import FormatEvent, Parser
from hackamore.core.model import CallPiece, FinishReason
from hackamore.core.tools import ToolSpec
from hackamore.formats.hermes_forms import HERMES_WRAPPERS, hermes_forms
from hackamore.formats.native import NativeFormat
from hackamore.formats.native_calls import NativeCalls
from hackamore.formats.text_grammar import TextGrammar
from hackamore.formats.text_parser import TextParser
from hackamore.formats.xml_tags import xml_forms


class AutoParser:
    """Reads one answer: native calls as such, and those in its text in whatever form they are."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        forms = {**hermes_forms(tools), **xml_forms(tools)}
        self._calls = NativeCalls(tools)
        self._text = TextParser(TextGrammar(forms, HERMES_WRAPPERS))

    def feed(self, text: str) -> Sequence[FormatEvent]:
        """Take more of the answer's text."""
        return self._text.feed(text)

    def feed_call(self, piece: CallPiece) -> Sequence[FormatEvent]:
        """Take a piece of a native call."""
        return self._calls.feed(piece)

    def close(self, finish: FinishReason = "stop") -> Sequence[FormatEvent]:
        """The answer is over: return what was held back, and the calls, those in text first."""
        return [*self._text.close(finish), *self._calls.close(finish)]


class AutoFormat(NativeFormat):
    """Native calls, and calls in the text all the same."""

    @property
    def name(self) -> str:
        """The format's name."""
        return "auto"

    def parser(self, tools: Sequence[ToolSpec]) -> Parser:
        """Return a parser for one answer of a model that was offered `tools`."""
        return AutoParser(tools)
