"""The XML format's spelling of tags, and how a parser knows the calls in it."""

import re
from collections.abc import Sequence
from typing import Final

from hackamore.core.tools import ToolSpec
from hackamore.formats.call_form import Forms
from hackamore.formats.tag_form import tag_forms
from hackamore.formats.tag_grammar import TagSpelling
from hackamore.formats.xml_write import write_call

_SPELLING: Final = TagSpelling(
    form="xml",
    tool=("<{}>", "</{}>"),
    parameter=("<{}>", "</{}>"),
    any_parameter=re.compile(r"<([A-Za-z_][\w-]*)>"),
    write=write_call,
)


def xml_forms(tools: Sequence[ToolSpec]) -> Forms:
    """Return the forms of the calls of `tools`."""
    return tag_forms(tools, _SPELLING)
