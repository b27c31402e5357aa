"""The tags of the XML format: which tools and parameters a parser knows, and what it drops."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.core.tools import ToolSpec
from hackamore.formats.tags import Tags

ALWAYS_VERBATIM: Final = frozenset({"content", "diff", "result", "arguments", "response"})
"""Parameters whose text is kept to the byte whatever the tool."""

THINKING_OPENINGS: Final = frozenset({"<think>", "<thinking>"})
THINKING_CLOSINGS: Final = frozenset({"</think>", "</thinking>"})
THINKING_TAGS: Final = Tags((*THINKING_OPENINGS, *THINKING_CLOSINGS))
WRAPPERS: Final = frozenset(
    {"<function_calls>", "</function_calls>", "<tool_calls>", "</tool_calls>"}
)
"""Tags that some models put around their calls; they carry nothing."""

FENCES: Final = frozenset({"```", "~~~"})

_PATH_SPELLINGS: Final = ("path", "file_path")


@dataclass(frozen=True, slots=True)
class ToolGrammar:
    """How a call of one tool is written.

    Attributes:
        spec: The tool.
        opening: Its opening tag.
        closing: Its closing tag.
        openings: The parameter that each opening tag of a parameter begins.
        tags: All of these, and the closing tags of the parameters.
    """

    spec: ToolSpec
    opening: str
    closing: str
    openings: Mapping[str, str]
    tags: Tags

    def is_verbatim(self, parameter: str) -> bool:
        """Whether the text of `parameter` is kept to the byte."""
        return parameter in ALWAYS_VERBATIM or parameter in self.spec.verbatim


def tool_grammar(spec: ToolSpec) -> ToolGrammar:
    """Build the grammar of one tool's calls."""
    openings = {f"<{name}>": name for name in (*spec.properties, *_spellings(spec))}
    tags = [f"<{spec.name}>", f"</{spec.name}>", "<![CDATA["]
    tags += [tag for opening in openings for tag in (opening, f"</{opening[1:]}")]
    return ToolGrammar(spec, tags[0], tags[1], openings, Tags(tags))


def _spellings(spec: ToolSpec) -> Iterable[str]:
    """Other names that models use for the tool's path, where the tool has no such parameter."""
    if spec.path_parameter not in _PATH_SPELLINGS:
        return ()
    return (name for name in _PATH_SPELLINGS if name not in spec.properties)


class XmlGrammar:
    """All that one parser knows."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self.tools: Final = {f"<{spec.name}>": tool_grammar(spec) for spec in tools}
        self.prose: Final = Tags(
            (*self.tools, *THINKING_OPENINGS, *THINKING_CLOSINGS, *WRAPPERS, *FENCES)
        )


def canonical(spec: ToolSpec, parameter: str) -> str:
    """Return the tool's own name of `parameter`."""
    is_other_spelling = parameter in _PATH_SPELLINGS and parameter not in spec.properties
    return spec.path_parameter or parameter if is_other_spelling else parameter
