"""The form of calls that are written as tags, for the parser of text."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hackamore.core.ids import new_id
from hackamore.core.tools import ToolSpec
from hackamore.formats.call_form import Forms
from hackamore.formats.tag_call import TagReading
from hackamore.formats.tag_grammar import TagSpelling, ToolGrammar, tool_grammars
from hackamore.formats.tag_verdict import RawCall, TagCall
from hackamore.formats.tags import Tags


@dataclass(frozen=True, slots=True)
class TagForm:
    """Calls of one tool in one spelling."""

    grammar: ToolGrammar
    followers: Tags = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "followers", self.grammar.tags)

    def begins(self, follower: str) -> bool:
        """Only a parameter, or the end, makes the tool's tag the beginning of a call."""
        return follower == self.grammar.closing or follower in self.grammar.openings

    def wraps(self, follower: str) -> bool:
        """The tag always means the tool."""
        del follower
        return False

    def reading(self, follower: str, *, draft: bool) -> TagReading:
        """Return a reading of one call."""
        del follower
        return TagReading(self.grammar, new_id("call"), draft=draft)

    def unfinished(self) -> TagCall:
        """Return a call without values."""
        raw = RawCall(self.grammar.spec.name, {}, partial=True)
        return TagCall(raw, self.grammar, new_id("call"))


def tag_forms(tools: Sequence[ToolSpec], spelling: TagSpelling) -> Forms:
    """Return the forms of all `tools` in `spelling`."""
    return {opening: TagForm(it) for opening, it in tool_grammars(tools, spelling).items()}
