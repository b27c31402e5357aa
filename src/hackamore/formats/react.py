"""The ReAct format: one thought and one action at a time, in lines with labels."""

from collections.abc import Sequence
from dataclasses import dataclass

from hackamore.core.messages import Message
from hackamore.core.tools import ToolSpec
from hackamore.formats.react_labels import STOPS
from hackamore.formats.react_parser import ReactParser
from hackamore.formats.react_prompt import instructions
from hackamore.formats.react_write import FORM, encode_messages


@dataclass(frozen=True, slots=True)
class ReactFormat:
    """Calls as ``Action:`` lines, one an answer."""

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
        """The labels of observations: what comes after an action is not the model's to say."""
        return STOPS

    def instructions(self, tools: Sequence[ToolSpec]) -> str:
        """Return the part of the system prompt that tells how to call `tools`."""
        return instructions(tools)

    def encode(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return `messages` with labels, and results as observations of the user."""
        return encode_messages(messages)

    def parser(self, tools: Sequence[ToolSpec]) -> ReactParser:
        """Return a parser for one answer of a model that was offered `tools`."""
        return ReactParser(tools)
