"""What a spelling of calls offers to the parser of text: how a call begins, is read, and ends.

A form stands for one opening tag. `hackamore.formats.text_parser` knows prose, thinking and code
fences, and leaves all that is between the opening tag and the end of the call to the form.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

from hackamore.core.format import CallCut, CallMalformed, CallParsed, FormatEvent
from hackamore.core.messages import ToolCall
from hackamore.formats.tags import TagReader, Tags

Outcome: TypeAlias = CallParsed | CallMalformed | CallCut


class ReadCall(Protocol):
    """A call that was read; what becomes of it depends on how the answer ends."""

    @property
    def shown(self) -> ToolCall:
        """The call as far as it was understood."""
        ...

    def outcome(self, *, whole: bool) -> Outcome:
        """Return the event of the call; `whole` is whether the answer ended by itself."""
        ...


class CallReading(Protocol):
    """One call, or a list of calls in one pair of tags, while it is being read."""

    @property
    def calls(self) -> Sequence[ReadCall] | None:
        """The calls, once they are over."""
        ...

    @property
    def raw(self) -> str:
        """What was read, as it was written, without the opening tag."""
        ...

    def is_quiet(self, text: str) -> bool:
        """Whether nothing in `text` could end the call."""
        ...

    def begin(self) -> Sequence[FormatEvent]:
        """Return the events of a call that was just recognised."""
        ...

    def read(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        """Read a little more; None when more text must come first."""
        ...

    def close(self, *, may_guess: bool) -> tuple[Sequence[FormatEvent], str]:
        """The answer is over: return events, and the text that has to be read anew.

        The call is over too, unless what is to be read anew belongs to it. `may_guess` allows
        likely readings where tags do not match.
        """
        ...


class CallForm(Protocol):
    """One spelling of calls, known by its opening tag."""

    @property
    def followers(self) -> Tags:
        """What may stand after the opening tag, across white space, for it to be one."""
        ...

    def begins(self, follower: str) -> bool:
        """Whether a call begins when `follower` stands there."""
        ...

    def wraps(self, follower: str) -> bool:
        """Whether the opening tag only stands around another form's call, and means nothing."""
        ...

    def reading(self, follower: str, *, draft: bool) -> CallReading:
        """Return a reading of the call that begins with `follower`; with drafts or without."""
        ...

    def unfinished(self) -> ReadCall:
        """Return the call of an answer that ended with the opening tag."""
        ...


Forms: TypeAlias = Mapping[str, CallForm]
"""The forms by their opening tags."""
