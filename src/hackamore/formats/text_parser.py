"""Reads an answer that asks for tools in its text: prose, thinking, code fences and calls.

At any time the parser is inside a call, after an opening tag of a form, inside thinking, inside a
code fence, or in prose. Each has a method that reads one token and says whether there was one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.core.format import CallCut, FormatEvent, TextOut, ThinkingOut
from hackamore.core.messages import ToolCall
from hackamore.core.model import CallPiece, FinishReason
from hackamore.formats.call_form import CallForm, CallReading, ReadCall
from hackamore.formats.lines import FENCES, Line
from hackamore.formats.tags import TagReader
from hackamore.formats.text_fence import FenceReader, FenceStep
from hackamore.formats.text_grammar import TextGrammar
from hackamore.formats.thinking import (
    THINKING_CLOSINGS,
    THINKING_OPENINGS,
    THINKING_TAGS,
    ThinkingBlock,
)

_BATCH: Final = 64
"""Characters inside a call that are read at once: a draft of fewer is not worth an event."""

_MOST_GUESSES: Final = 4
"""Open calls of one answer after which its text is read anew; more would not be linear."""


@dataclass(slots=True)
class _Opening:
    """An opening tag, which begins a call only before what its form wants there."""

    form: CallForm
    text: list[str]


class TextParser:
    """Reads one answer."""

    def __init__(self, grammar: TextGrammar) -> None:
        self._grammar = grammar
        self._reader = TagReader()
        self._out: list[FormatEvent] = []
        self._line = Line()
        self._call: CallReading | None = None
        self._opening: _Opening | None = None
        self._thoughts: ThinkingBlock | None = None
        self._fence: FenceReader | None = None
        self._guesses = 0
        self._is_plain = True
        self._waiting: list[str] = []
        self._waiting_length = 0

    def feed(self, text: str) -> Sequence[FormatEvent]:
        """Take more of the answer's text; return what is certain by now."""
        if self._is_plain:
            if self._call is None and self._grammar.prose.is_quiet(text):
                self._line.see(text)
                return (TextOut(text),) if text else ()
            if self._call is not None and self._may_wait(text, self._call):
                return ()
        self._push(text)
        return self._run()

    def feed_call(self, piece: CallPiece) -> Sequence[FormatEvent]:
        """Leave out a piece of a native call: no tool was offered so."""
        del piece
        return ()

    def close(self, finish: FinishReason = "stop") -> Sequence[FormatEvent]:
        """The answer is over: return what was held back, and the calls."""
        whole = finish not in {"length", "filter"}
        self._push("")
        events = [*self._run()]
        while self._end(whole=whole):
            events += self._run()
        return [*events, *self._run()]

    def _may_wait(self, text: str, call: CallReading) -> bool:
        """Keep a little of a value, without tags, to read it with what follows."""
        if self._waiting_length >= _BATCH or not call.is_quiet(text):
            return False
        self._waiting.append(text)
        self._waiting_length += len(text)
        return True

    def _push(self, text: str) -> None:
        self._reader.push("".join(self._waiting) + text)
        self._waiting = []
        self._waiting_length = 0

    def _run(self) -> Sequence[FormatEvent]:
        while self._step():
            pass
        inside = self._opening or self._thoughts or self._fence
        self._is_plain = self._reader.is_empty and (inside is None or self._call is not None)
        events, self._out = self._out, []
        return events

    def _step(self) -> bool:
        if self._call is not None:
            return self._read_call(self._call)
        if self._opening is not None:
            return self._read_opening(self._opening)
        if self._thoughts is not None:
            return self._read_thoughts(self._thoughts)
        if self._fence is not None:
            return self._read_fence(self._fence)
        return self._read_prose()

    # Prose and thinking

    def _read_prose(self) -> bool:
        token = self._reader.next(self._grammar.prose)
        if token is None:
            return False
        tag = token.text
        if not token.is_tag or self._line.in_code:
            self._say(tag)
        elif tag in self._grammar.forms:
            self._opening = _Opening(self._grammar.forms[tag], [tag])
        elif tag in THINKING_OPENINGS:
            self._thoughts = ThinkingBlock()
        elif self._line.blank and tag in FENCES:
            self._fence = FenceReader(tag, self._reader, self._grammar)
        elif not (tag in THINKING_CLOSINGS or (self._line.blank and tag in self._grammar.wrappers)):
            self._say(tag)
        return True

    def _read_thoughts(self, block: ThinkingBlock) -> bool:
        token = self._reader.next(THINKING_TAGS)
        if token is None:
            return False
        over = False
        if not token.is_tag:
            certain = block.text(token.text)
        elif token.text in THINKING_OPENINGS:
            certain = block.opening(token.text)
        else:
            certain, over = block.closing(token.text)
        if certain:
            self._out.append(ThinkingOut(certain))
        if over:
            self._thoughts = None
            self._line = Line()
        return True

    def _say(self, text: str) -> None:
        self._line.see(text)
        self._out.append(TextOut(text))

    # Code fences

    def _read_fence(self, fence: FenceReader) -> bool:
        step = fence.read()
        if step is None:
            return False
        self._take(step)
        if step.opening:
            self._opening = _Opening(self._grammar.forms[step.opening], [step.opening])
        return True

    def _take(self, step: FenceStep) -> None:
        if step.text:
            self._out.append(TextOut(step.text))
        if step.over:
            self._fence = None
            self._line = Line()

    # Calls

    def _read_opening(self, opening: _Opening) -> bool:
        if space := self._reader.space():
            opening.text.append(space)
        form = opening.form
        follower = self._reader.here(form.followers)
        if follower == "":
            return False
        if follower is not None and form.begins(follower):
            self._call = form.reading(follower, draft=self._fence is None)
            self._out += self._call.begin()
        elif follower is not None and form.wraps(follower):
            self._unwrap(opening)
        else:
            self._refuse(opening)
        return True

    def _unwrap(self, opening: _Opening) -> None:
        self._opening = None
        if self._fence is not None:
            self._fence.hold("".join(opening.text))

    def _refuse(self, opening: _Opening) -> None:
        self._opening = None
        text = "".join(opening.text)
        if self._fence is None:
            self._say(text)
        else:
            self._take(self._fence.refuse(text))

    def _read_call(self, call: CallReading) -> bool:
        events = call.read(self._reader)
        if events is None:
            return False
        self._out += events
        if call.calls is not None:
            self._end_call(call, call.calls, whole=True)
        return True

    def _end_call(self, call: CallReading, calls: Sequence[ReadCall], *, whole: bool) -> None:
        opened = self._opening.text if self._opening is not None else []
        self._call = self._opening = None
        if self._fence is None:
            self._out += [read.outcome(whole=whole) for read in calls]
            self._line = Line()
        else:
            self._fence.add("".join(opened) + call.raw, calls)

    # The end

    def _end(self, *, whole: bool) -> bool:
        """End what the answer ended in; return whether there may be more to read."""
        rest = self._reader.rest()
        if self._call is not None:
            return self._end_open_call(self._call, rest, whole=whole)
        if self._opening is not None:
            return self._end_opening(self._opening, rest, whole=whole)
        if self._thoughts is not None:
            return self._end_thoughts(self._thoughts, rest, whole=whole)
        if self._fence is not None:
            return self._end_fence(self._fence, rest, whole=whole)
        if rest:
            self._say(rest)
        return False

    def _end_open_call(self, call: CallReading, rest: str, *, whole: bool) -> bool:
        may_guess = self._guesses < _MOST_GUESSES
        events, again = call.close(may_guess=whole and may_guess)
        self._out += events
        if call.calls is not None:
            self._end_call(call, call.calls, whole=whole)
        if call.calls is None or (again.strip() and may_guess):
            self._guesses += 1
            self._reader.unread(again + rest)
        return True

    def _end_opening(self, opening: _Opening, rest: str, *, whole: bool) -> bool:
        """End with an opening tag: alone on its line it was the beginning of a call."""
        if not (self._line.blank or self._fence is not None or rest):
            self._refuse(opening)
            return False
        self._out.append(opening.form.unfinished().outcome(whole=whole))
        self._opening = self._fence = None
        return False

    def _end_thoughts(self, block: ThinkingBlock, rest: str, *, whole: bool) -> bool:
        self._thoughts = None
        doubtful = block.rest() + rest
        if block.rest() and whole:
            self._reader.unread(doubtful)
            self._line = Line()
            return True
        if doubtful:
            self._out.append(ThinkingOut(doubtful))
        return False

    def _end_fence(self, fence: FenceReader, rest: str, *, whole: bool) -> bool:
        text, calls = fence.end(rest)
        if text:
            self._out.append(TextOut(text))
        self._out += [
            held.outcome(whole=False) if whole else _cut_in_fence(held.shown) for held in calls
        ]
        self._fence = None
        return False


def _cut_in_fence(call: ToolCall) -> CallCut:
    """Return the event of a call in a code fence after which the answer was cut off."""
    problem = (
        f"{call.name} was not run: it stood in a code fence, and the answer was cut off before "
        f"it was clear whether it was an example. Write the call again, without a fence."
    )
    return CallCut(call, problem)
