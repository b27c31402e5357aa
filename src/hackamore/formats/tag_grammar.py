"""How calls are written as tags: one tag around the call, one around each value.

There are several spellings of it, such as ``<read_file><path>`` and
``<function=read_file><parameter=path>``; all are read by the same rules.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolSpec
from hackamore.formats.tags import Tags

ALWAYS_VERBATIM: Final = frozenset({"content", "diff", "result", "arguments", "response"})
"""Parameters whose text is kept to the byte whatever the tool."""

CDATA_OPEN: Final = "<![CDATA["

_PATH_SPELLINGS: Final = ("path", "file_path")


@dataclass(frozen=True, slots=True)
class TagSpelling:
    """How the tags are written; ``{}`` stands for the name.

    Attributes:
        form: The format that the spelling belongs to.
        tool: The tags around a call.
        parameter: The tags around a value.
        any_parameter: Matches the opening tag of any value; its group is the name.
        write: Writes a call in the way that the format prefers.
    """

    form: str
    tool: tuple[str, str]
    parameter: tuple[str, str]
    any_parameter: re.Pattern[str]
    write: Callable[[str, JSONObject], str]

    def value_end(self, name: str) -> str:
        """Return the closing tag of the value of `name`."""
        return self.parameter[1].format(name)


@dataclass(frozen=True, slots=True)
class ToolGrammar:
    """How a call of one tool is written.

    Attributes:
        spec: The tool.
        spelling: How its tags are written.
        opening: Its opening tag.
        closing: Its closing tag.
        properties: The schemas of its parameters.
        openings: The parameter that each opening tag of a value begins.
        closings: The closing tag of each opening tag of a value.
        like_opening: The opening tags that the closing tag may close.
        like_openings: The same for the closing tags of values.
        tags: All of these.
    """

    spec: ToolSpec
    spelling: TagSpelling
    opening: str
    closing: str
    properties: Mapping[str, JSONObject]
    openings: Mapping[str, str]
    closings: Mapping[str, str]
    like_opening: frozenset[str]
    like_openings: Mapping[str, frozenset[str]]
    tags: Tags

    def is_verbatim(self, parameter: str) -> bool:
        """Whether the text of `parameter` is kept to the byte."""
        return parameter in ALWAYS_VERBATIM or parameter in self.spec.verbatim


def tool_grammars(tools: Sequence[ToolSpec], spelling: TagSpelling) -> Mapping[str, ToolGrammar]:
    """Return the grammar of each tool's calls by its opening tag."""
    tool_tags = [_tags(spelling.tool, spec.name) for spec in tools]
    values = [tuple(_value_tags(spec, spelling)) for spec in tools]
    shared = len({closing for _, closing in tool_tags}) == 1
    everything = {opening: closing for own in values for opening, closing, _ in own}
    grammars: dict[str, ToolGrammar] = {}
    for spec, (opening, closing), own in zip(tools, tool_tags, values, strict=True):
        like = frozenset(o for o, c in tool_tags if c == closing)
        closings = everything if shared else {o: c for o, c, _ in own}
        grammars[opening] = ToolGrammar(
            spec=spec,
            spelling=spelling,
            opening=opening,
            closing=closing,
            properties=spec.properties,
            openings={o: name for o, _, name in own},
            closings=closings,
            like_opening=like,
            like_openings=_alike(closings),
            tags=Tags((*like, closing, CDATA_OPEN, *closings, *closings.values())),
        )
    return grammars


def _tags(spelling: tuple[str, str], name: str) -> tuple[str, str]:
    return spelling[0].format(name), spelling[1].format(name)


def _value_tags(spec: ToolSpec, spelling: TagSpelling) -> Iterable[tuple[str, str, str]]:
    for written, name in _names(spec).items():
        yield (*_tags(spelling.parameter, written), name)


def _names(spec: ToolSpec) -> Mapping[str, str]:
    """Return the parameters by name, and the one of the path also by other names for it."""
    names = {name: name for name in spec.properties}
    if spec.path_parameter in _PATH_SPELLINGS:
        names = dict.fromkeys(_PATH_SPELLINGS, spec.path_parameter) | names
    return names


def _alike(closings: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    return {
        opening: frozenset(other for other, end in closings.items() if end == closing)
        for opening, closing in closings.items()
    }
