"""Calls as JSON objects with a name and arguments, after an opening tag.

The end of the JSON is the end of the call: texts in it may hold any tag.
"""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hackamore.core.format import FormatEvent
from hackamore.core.ids import new_id
from hackamore.core.json import JSON
from hackamore.core.messages import ToolCall
from hackamore.formats.bracket_scan import BracketScan
from hackamore.formats.call_judge import CallJudge, DecidedCall, as_object
from hackamore.formats.json_call_draft import JsonCallDraft
from hackamore.formats.literals import read_json
from hackamore.formats.tags import TagReader, Tags

_ARGUMENTS: Final = ("arguments", "parameters")
_HEAD: Final = re.compile(r"[\w-]+\[ARGS\]")
"""A tool's name before its arguments; read only where it is known to stand."""


@dataclass(frozen=True, slots=True)
class JsonForm:
    """Calls as JSON after one opening tag.

    Attributes:
        judge: Decides on what was read.
        closing: Stands after the calls.
        named: What may stand before the arguments alone, and the tool that it names.
        wrapped: Openings of other forms that the opening tag may stand around.
        followers: All that may stand after the opening tag.
        end: The closing tag.
    """

    judge: CallJudge
    closing: str
    named: Mapping[str, str] = field(default_factory=dict[str, str])
    wrapped: frozenset[str] = frozenset()
    followers: Tags = field(init=False)
    end: Tags = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "followers", Tags(("{", "[", *self.named, *self.wrapped)))
        object.__setattr__(self, "end", Tags((self.closing,)))

    def begins(self, follower: str) -> bool:
        """Whether a call begins with `follower`."""
        return not self.wraps(follower)

    def wraps(self, follower: str) -> bool:
        """Whether another form's call follows."""
        return follower in self.wrapped

    def reading(self, follower: str, *, draft: bool) -> "JsonCalls":
        """Return a reading of a call, or of a list of calls."""
        return JsonCalls(self, self.named.get(follower, ""), draft=draft)

    def unfinished(self) -> DecidedCall:
        """Return a call without a name."""
        return self.judge.cut(ToolCall(new_id("call"), "", {}), 0)


class JsonCalls:
    """Reads one JSON value: a call, a list of calls, or only the arguments of a call.

    Attributes:
        calls: The calls, once the value is over.
    """

    def __init__(self, form: JsonForm, name: str, *, draft: bool) -> None:
        """Begin; when `name` is given, it stands before the arguments of that tool."""
        self.calls: Sequence[DecidedCall] | None = None
        self._form = form
        self._judge = form.judge
        self._unreadable: DecidedCall | None = None
        self._skipped: list[str] = []
        self._name = name
        self._head = ""
        self._call_id = new_id("call")
        self._text = io.StringIO()
        self._scan = BracketScan()
        self._draft = JsonCallDraft(self._call_id, name)
        self._is_shown = draft

    @property
    def raw(self) -> str:
        """What was read."""
        return "".join((self._head, self._text.getvalue(), *self._skipped))

    def is_quiet(self, text: str) -> bool:
        """Whether nothing in `text` could end the value."""
        return self._unreadable is None and self._scan.is_quiet(text)

    def begin(self) -> Sequence[FormatEvent]:
        """Announce the call where its name is known."""
        return self._draft.first() if self._is_shown else ()

    def read(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        """Read all that there is, up to the end of the value.

        After one that cannot be read, what stands before the closing tag is skipped: it is
        likely a part of the value.
        """
        if self._unreadable is not None:
            return self._skip(reader, self._unreadable)
        if self._name and not self._head:
            self._head = reader.match(_HEAD)
        if reader.is_empty:
            return None
        text = reader.until(self._scan.feed)
        self._text.write(text)
        drafts = self._draft.feed(text)
        if self._scan.over:
            self._read_calls(self._text.getvalue())
        return drafts if self._is_shown else ()

    def close(self, *, may_guess: bool) -> tuple[Sequence[FormatEvent], str]:
        """The answer is over: the call is cut off."""
        del may_guess
        cut = self._judge.cut(self._shown(), self._text.tell())
        self.calls = (self._unreadable or cut,)
        return (), ""

    def _skip(self, reader: TagReader, unreadable: DecidedCall) -> Sequence[FormatEvent] | None:
        token = reader.next(self._form.end)
        if token is None:
            return None
        self._skipped.append(token.text)
        if token.is_tag:
            self.calls = (unreadable,)
        return ()

    def _shown(self) -> ToolCall:
        return ToolCall(self._call_id, self._draft.tool, self._draft.values())

    def _read_calls(self, text: str) -> None:
        try:
            value = read_json(text)
        except ValueError as error:
            why = f"It is not valid JSON: {error}."
            self._unreadable = self._judge.malformed(self._shown(), why)
            return
        if self._name:
            self.calls = (self._decided(self._call_id, self._name, value),)
            return
        values = [value] if isinstance(value, Mapping) else _listed(value)
        self.calls = [
            self._named(new_id("call") if place else self._call_id, each)
            for place, each in enumerate(values)
        ]

    def _named(self, call_id: str, value: JSON) -> DecidedCall:
        name = value.get("name") if isinstance(value, Mapping) else None
        if not isinstance(value, Mapping) or not isinstance(name, str):
            return self._judge.malformed(ToolCall(call_id, "", {}), "It has no name.")
        given = next((value[key] for key in _ARGUMENTS if key in value), None)
        return self._decided(call_id, name, given)

    def _decided(self, call_id: str, name: str, given: JSON) -> DecidedCall:
        try:
            arguments = as_object(given, read_json)
        except ValueError as error:
            why = f"The arguments cannot be read: {error}."
            return self._judge.malformed(ToolCall(call_id, name, {}), why)
        return self._judge.judged(ToolCall(call_id, name, arguments))


def _listed(value: JSON) -> Sequence[JSON]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
