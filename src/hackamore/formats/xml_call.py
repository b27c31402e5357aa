"""Reads one call of the XML format, from its opening tag to its closing tag."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.core.format import FormatEvent
from hackamore.formats.tags import Tags, Token
from hackamore.formats.xml_draft import DraftWriter
from hackamore.formats.xml_grammar import ToolGrammar, canonical
from hackamore.formats.xml_value import ValueEnd, ValueScan, clean, is_repeated


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call as it was written: every value is text.

    Attributes:
        name: The tool.
        params: The values by parameter, cleaned of what belongs to the format.
        partial: The answer ended before the call did.
        open_param: The parameter that was being written when the answer ended, if any.
        strays: What stood between the parameters and is none: names of elements, or text.
        repeated: Short parameters whose value holds a second one of the same name.
    """

    name: str
    params: dict[str, str]
    partial: bool = False
    open_param: str | None = None
    strays: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()


class CallReader:
    """Takes the tokens of one call.

    Attributes:
        call: The call, once it is over.
        call_id: The id of the event that will tell of it.
    """

    def __init__(self, grammar: ToolGrammar, call_id: str, *, draft: bool) -> None:
        self.grammar: Final = grammar
        self.call: RawCall | None = None
        self.call_id: Final = call_id
        self._again = ""
        self._raw = io.StringIO()
        self._length = 0
        self._start = 0
        self._value: ValueScan | None = None
        self._params: dict[str, str] = {}
        self._strays: tuple[str, ...] = ()
        self._repeated: tuple[str, ...] = ()
        self._draft = DraftWriter(call_id, grammar) if draft else None

    @property
    def tags(self) -> Tags:
        """The tags that matter now."""
        return self.grammar.tags if self._value is None else self._value.tags

    @property
    def raw(self) -> str:
        """What was read of the call, as it was written."""
        return self._raw.getvalue()

    def taken_again(self) -> str:
        """Take out the text that was read as something that it is not; it has to be read anew."""
        again, self._again = self._again, ""
        return again

    def begin(self) -> Sequence[FormatEvent]:
        """Return the events of a call that was just recognised."""
        return () if self._draft is None else (self._draft.first(),)

    def take(self, token: Token) -> Sequence[FormatEvent]:
        """Take the next token."""
        text, at = token.text, self._length
        self._raw.write(text)
        self._length = at + len(text)
        value = self._value
        if value is None:
            return self._between(token)
        if not token.is_tag:
            value.text(text)
        elif (end := value.tag(text, at)) is not None:
            return self._end_value(end, token)
        return self._show(token, value)

    def close(self, *, may_guess: bool) -> Sequence[FormatEvent]:
        """The answer is over: end the call with what there is."""
        value = self._value
        if value is None:
            self.call = self._result(partial=True)
            return ()
        end, whole = value.finish(may_guess=may_guess)
        if end is None:
            return self._cut(value)
        events = self._keep(value, end)
        self._rewind(end.resume)
        if not whole:
            self.call = self._result(partial=True)
        return events

    def _between(self, token: Token) -> Sequence[FormatEvent]:
        if not token.is_tag:
            stray = token.text.strip()
            self._strays += (stray,) if stray else ()
        elif token.text == self.grammar.closing:
            self.call = self._result(partial=False)
        elif token.text in self.grammar.openings:
            self._begin_value(token.text)
        return ()

    def _begin_value(self, opening: str) -> None:
        self._start = self._length
        name = canonical(self.grammar.spec, self.grammar.openings[opening])
        self._value = ValueScan(self.grammar, opening, frozenset(self._params) | {name})
        if self._draft is not None:
            self._draft.parameter(name)

    def _end_value(self, end: ValueEnd, token: Token) -> Sequence[FormatEvent]:
        assert self._value is not None  # noqa: S101 - only called while a value is read
        events = self._keep(self._value, end)
        self._strays += end.strays
        at = self._length - len(token.text)
        if end.resume >= at or not self._raw.getvalue()[end.resume : at].strip():
            self._between(token)
        else:
            self._rewind(end.resume)
        return events

    def _keep(self, value: ValueScan, end: ValueEnd) -> Sequence[FormatEvent]:
        name = self.grammar.openings[value.opening]
        raw = self._raw.getvalue()[self._start : end.end]
        verbatim = self.grammar.is_verbatim(name)
        text = clean(raw, verbatim=verbatim)
        if not verbatim and is_repeated(raw, name):
            self._repeated += (name,)
        self._params[canonical(self.grammar.spec, name)] = text
        self._value = None
        return () if self._draft is None else self._draft.end(text)

    def _cut(self, value: ValueScan) -> Sequence[FormatEvent]:
        name = canonical(self.grammar.spec, self.grammar.openings[value.opening])
        raw = self._raw.getvalue()[self._start :]
        self._params[name] = clean(raw, verbatim=self.grammar.is_verbatim(name))
        self.call = self._result(partial=True, open_param=name)
        return () if self._draft is None else self._draft.flush()

    def _show(self, token: Token, value: ValueScan) -> Sequence[FormatEvent]:
        if self._draft is None:
            return ()
        if value.is_section:
            self._draft.mute()
            return ()
        return self._draft.grow(token, undecided=value.undecided)

    def _rewind(self, offset: int) -> None:
        """Forget what was read after `offset`, and have it read again."""
        self._again = self._raw.getvalue()[offset:]
        self._raw.seek(offset)
        self._raw.truncate()
        self._length = offset

    def _result(self, *, partial: bool, open_param: str | None = None) -> RawCall:
        return RawCall(
            self.grammar.spec.name, self._params, partial, open_param, self._strays, self._repeated
        )
