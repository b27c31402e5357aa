"""The spellings of calls that belong to the Hermes format: JSON in tags, and tags with names."""

import re
from collections.abc import Sequence
from typing import Final

from hackamore.core.tools import ToolSpec
from hackamore.formats.call_form import Forms
from hackamore.formats.call_judge import CallJudge
from hackamore.formats.hermes_json import JsonForm
from hackamore.formats.hermes_write import CALL_CLOSING, CALL_OPENING, write_call
from hackamore.formats.tag_form import tag_forms
from hackamore.formats.tag_grammar import TagSpelling
from hackamore.formats.text_grammar import WRAPPERS

FORM: Final = "hermes"
HERMES_WRAPPERS: Final = WRAPPERS | {CALL_CLOSING}
"""What is dropped where a line begins: also the end of a call whose JSON has ended before."""

_LIST_OPENING: Final = "[TOOL_CALLS]"
_LIST_CLOSING: Final = "[/TOOL_CALLS]"
_FUNCTION: Final = TagSpelling(
    form=FORM,
    tool=("<function={}>", "</function>"),
    parameter=("<parameter={}>", "</parameter>"),
    any_parameter=re.compile(r"<parameter=([^<>\s]+)>"),
    write=write_call,
)
_INVOKE: Final = TagSpelling(
    form=FORM,
    tool=('<invoke name="{}">', "</invoke>"),
    parameter=('<parameter name="{}">', "</parameter>"),
    any_parameter=re.compile(r'<parameter name="([^<>"]+)">'),
    write=write_call,
)


def hermes_forms(tools: Sequence[ToolSpec]) -> Forms:
    """Return every form of the calls of `tools`."""
    judge = CallJudge({spec.name: spec for spec in tools}, FORM, write_call)
    functions = tag_forms(tools, _FUNCTION)
    named = {f"{spec.name}[ARGS]": spec.name for spec in tools}
    return {
        CALL_OPENING: JsonForm(judge, CALL_CLOSING, wrapped=frozenset(functions)),
        _LIST_OPENING: JsonForm(judge, _LIST_CLOSING, named),
        **functions,
        **tag_forms(tools, _INVOKE),
    }
