"""The Hermes format: calls as JSON between tags, as many open models were trained to write them."""

from collections.abc import Sequence
from dataclasses import dataclass

from hackamore.core.messages import Message
from hackamore.core.tools import ToolSpec
from hackamore.formats.hermes_forms import FORM, HERMES_WRAPPERS, hermes_forms
from hackamore.formats.hermes_prompt import instructions
from hackamore.formats.hermes_write import write_call, write_result
from hackamore.formats.text_grammar import TextGrammar
from hackamore.formats.text_history import encode_messages
from hackamore.formats.text_parser import TextParser


@dataclass(frozen=True, slots=True)
class HermesFormat:
    """Calls as JSON in ``<tool_call>`` tags; other spellings are understood, too."""

    @property
    def name(self) -> str:
        """The format's name."""
        return FORM

    @property
    def native(self) -> bool:
        """Tools are not offered through the provider's interface."""
        return False

    @property
    def stop(self) -> tuple[str, ...]:
        """There is nothing to stop at: several calls may follow each other."""
        return ()

    def instructions(self, tools: Sequence[ToolSpec]) -> str:
        """Return the part of the system prompt that tells how to call `tools`."""
        return instructions(tools)

    def encode(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return `messages` with calls as JSON in tags and results as messages of the user."""
        return encode_messages(messages, write_call, write_result)

    def parser(self, tools: Sequence[ToolSpec]) -> TextParser:
        """Return a parser for one answer of a model that was offered `tools`."""
        return TextParser(TextGrammar(hermes_forms(tools), HERMES_WRAPPERS))
