"""What a parser of text looks for in prose, whatever the forms of calls that it knows."""

from collections.abc import Iterable
from typing import Final

from hackamore.formats.call_form import Forms
from hackamore.formats.lines import FENCES
from hackamore.formats.tags import Tags
from hackamore.formats.thinking import THINKING_CLOSINGS, THINKING_OPENINGS

WRAPPERS: Final = frozenset(
    {"<function_calls>", "</function_calls>", "<tool_calls>", "</tool_calls>"}
)
"""Tags that some models put around their calls; they carry nothing."""


class TextGrammar:
    """All that one parser knows.

    Attributes:
        forms: The forms of calls by their opening tags.
        wrappers: Tags that are dropped where a line begins.
        prose: Every tag that means something in prose.
    """

    def __init__(self, forms: Forms, wrappers: Iterable[str] = WRAPPERS) -> None:
        self.forms: Final = forms
        self.wrappers: Final = frozenset(wrappers)
        self.prose: Final = Tags(
            (*forms, *THINKING_OPENINGS, *THINKING_CLOSINGS, *self.wrappers, *FENCES)
        )
