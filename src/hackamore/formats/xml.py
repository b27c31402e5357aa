"""The XML format: tools are asked for in tags within the answer's text, with literal values."""

from collections.abc import Sequence
from dataclasses import dataclass

from hackamore.core.messages import Message
from hackamore.core.tools import ToolSpec
from hackamore.formats.text_grammar import TextGrammar
from hackamore.formats.text_history import encode_messages
from hackamore.formats.text_parser import TextParser
from hackamore.formats.xml_prompt import McpStyle, instructions
from hackamore.formats.xml_tags import xml_forms
from hackamore.formats.xml_write import write_call, write_result


@dataclass(frozen=True, slots=True)
class XmlFormat:
    """Calls as tags, for models without native tool calls.

    Attributes:
        mcp: Whether MCP tools are called through ``use_mcp_tool`` or by tags of their own.
    """

    mcp: McpStyle = "wrapped"

    @property
    def name(self) -> str:
        """The format's name."""
        return "xml"

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
        return instructions(tools, self.mcp)

    def encode(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return `messages` with calls as tags and results as messages of the user."""
        return encode_messages(messages, write_call, write_result)

    def parser(self, tools: Sequence[ToolSpec]) -> TextParser:
        """Return a parser for one answer of a model that was offered `tools`."""
        return TextParser(TextGrammar(xml_forms(tools)))
