"""Reads one call that is written as tags, from its opening tag to its closing tag."""

import io
from collections.abc import Sequence
from typing import Final

from hackamore.core.format import FormatEvent
from hackamore.formats.tag_draft import DraftWriter
from hackamore.formats.tag_grammar import ToolGrammar
from hackamore.formats.tag_value import ValueEnd, ValueScan, clean, is_repeated
from hackamore.formats.tag_verdict import RawCall, TagCall
from hackamore.formats.tags import TagReader, Tags, Token


class TagReading:
    """Reads the tokens of one call."""

    def __init__(self, grammar: ToolGrammar, call_id: str, *, draft: bool) -> None:
        self.grammar: Final = grammar
        self._call: TagCall | None = None
        self._call_id: Final = call_id
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
    def calls(self) -> Sequence[TagCall] | None:
        """The call, once it is over."""
        return None if self._call is None else (self._call,)

    @property
    def raw(self) -> str:
        """What was read of the call, as it was written."""
        return self._raw.getvalue()

    def is_quiet(self, text: str) -> bool:
        """Whether nothing in `text` could belong to a tag."""
        return self._tags.is_quiet(text)

    def begin(self) -> Sequence[FormatEvent]:
        """Return the events of a call that was just recognised."""
        return () if self._draft is None else (self._draft.first(),)

    def read(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        """Read the next token."""
        token = reader.next(self._tags)
        if token is None:
            return None
        events = self._take(token)
        if self._again:
            reader.unread(self._taken_again())
        return events

    def close(self, *, may_guess: bool) -> tuple[Sequence[FormatEvent], str]:
        """The answer is over: end the call with what there is."""
        value = self._value
        if value is None:
            self._call = self._result(partial=True)
            return (), ""
        end, whole = value.finish(may_guess=may_guess)
        if end is None:
            return self._cut(value), ""
        events = self._keep(value, end)
        self._rewind(end.resume)
        if not whole:
            self._call = self._result(partial=True)
        return events, self._taken_again()

    @property
    def _tags(self) -> Tags:
        """The tags that matter now."""
        return self.grammar.tags if self._value is None else self._value.tags

    def _taken_again(self) -> str:
        """Take out the text that was read as something that it is not."""
        again, self._again = self._again, ""
        return again

    def _take(self, token: Token) -> Sequence[FormatEvent]:
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

    def _between(self, token: Token) -> Sequence[FormatEvent]:
        if not token.is_tag:
            stray = token.text.strip()
            self._strays += (stray,) if stray else ()
        elif token.text == self.grammar.closing:
            self._call = self._result(partial=False)
        elif token.text in self.grammar.openings:
            self._begin_value(token.text)
        return ()

    def _begin_value(self, opening: str) -> None:
        self._start = self._length
        name = self.grammar.openings[opening]
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
        if not verbatim and is_repeated(raw, value.opening, self.grammar.closings[value.opening]):
            self._repeated += (name,)
        self._params[name] = text
        self._value = None
        return () if self._draft is None else self._draft.end(text)

    def _cut(self, value: ValueScan) -> Sequence[FormatEvent]:
        name = self.grammar.openings[value.opening]
        raw = self._raw.getvalue()[self._start :]
        self._params[name] = clean(raw, verbatim=self.grammar.is_verbatim(name))
        self._call = self._result(partial=True, open_param=name)
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

    def _result(self, *, partial: bool, open_param: str | None = None) -> TagCall:
        name = self.grammar.spec.name
        raw = RawCall(name, self._params, partial, open_param, self._strays, self._repeated)
        return TagCall(raw, self.grammar, self._call_id)
