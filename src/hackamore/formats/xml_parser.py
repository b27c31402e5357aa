"""Reads an answer in the XML format: prose, thinking, code fences and calls.

Each mode is a method that reads one token and says whether there was one. A fence that begins
with a call is held back, since only what follows tells an example from a request.
"""

from collections.abc import Callable, Sequence
from typing import Final

from hackamore.core.format import FormatEvent, TextOut, ThinkingOut
from hackamore.core.ids import new_id
from hackamore.core.model import CallPiece, FinishReason
from hackamore.core.tools import ToolSpec
from hackamore.formats.lines import Fence, Line
from hackamore.formats.tags import TagReader, Tags, Token
from hackamore.formats.thinking import ThinkingBlock
from hackamore.formats.xml_call import CallReader, RawCall
from hackamore.formats.xml_grammar import (
    FENCES,
    THINKING_CLOSINGS,
    THINKING_OPENINGS,
    THINKING_TAGS,
    WRAPPERS,
    ToolGrammar,
    XmlGrammar,
)
from hackamore.formats.xml_held import Held, HeldCall
from hackamore.formats.xml_verdict import cut_in_fence, verdict

_LINE_END: Final = Tags(("\n",))
_FENCE_TAGS: Final = {mark[0]: Tags((mark,)) for mark in FENCES}
_MARK_LENGTH: Final = 3
_BATCH: Final = 64
"""Characters inside a call that are read at once: a draft of fewer is not worth an event."""

_MOST_GUESSES: Final = 16
"""Calls of one answer whose unbalanced tags are guessed at; guessing more would not be linear."""


class XmlParser:
    """Reads one answer."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._grammar = XmlGrammar(tools)
        self._reader = TagReader()
        self._out: list[FormatEvent] = []
        self._mode: Callable[[], bool] = self._prose
        self._line = Line()
        self._thoughts = ThinkingBlock()
        self._tool: ToolGrammar | None = None
        self._opening: list[str] = []
        self._call: CallReader | None = None
        self._call_id = ""
        self._fence = Fence("`", _MARK_LENGTH)
        self._held: Held | None = None
        self._guesses = 0
        self._is_plain = True
        self._is_inside = False
        self._quiet = self._grammar.prose
        self._waiting: list[str] = []
        self._length = 0

    def feed(self, text: str) -> Sequence[FormatEvent]:
        """Take more of the answer's text; return what is certain by now."""
        if self._is_plain and self._grammar.prose.is_quiet(text):
            self._line.see(text)
            return (TextOut(text),) if text else ()
        if self._is_inside and self._length < _BATCH and self._quiet.is_quiet(text):
            self._waiting.append(text)
            self._length += len(text)
            return ()
        self._push(text)
        return self._run()

    def _push(self, text: str) -> None:
        if self._waiting:
            text = "".join(self._waiting) + text
            self._waiting = []
            self._length = 0
        self._reader.push(text)

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

    def _run(self) -> Sequence[FormatEvent]:
        while self._mode():
            pass
        is_read = self._reader.is_empty
        self._is_plain = is_read and self._mode == self._prose
        self._is_inside = is_read and self._mode == self._calling
        if self._is_inside and self._call is not None:
            self._quiet = self._call.tags
        events, self._out = self._out, []
        return events

    def _say(self, text: str) -> None:
        if text:
            self._line.see(text)
            self._out.append(TextOut(text))

    def _begin_prose(self) -> None:
        self._line = Line()
        self._mode = self._prose

    # Prose and thinking

    def _prose(self) -> bool:
        token = self._reader.next(self._grammar.prose)
        if token is None:
            return False
        tag = token.text
        if not token.is_tag or self._line.in_code:
            self._say(tag)
        elif tag in self._grammar.tools:
            self._open_tool(tag)
        elif tag in THINKING_OPENINGS:
            self._thoughts = ThinkingBlock()
            self._mode = self._thinking
        elif self._line.blank and tag in FENCES:
            self._open_fence(tag)
        elif not (tag in THINKING_CLOSINGS or (self._line.blank and tag in WRAPPERS)):
            self._say(tag)
        return True

    def _thinking(self) -> bool:
        token = self._reader.next(THINKING_TAGS)
        if token is None:
            return False
        over = False
        if not token.is_tag:
            certain = self._thoughts.text(token.text)
        elif token.text in THINKING_OPENINGS:
            certain = self._thoughts.opening(token.text)
        else:
            certain, over = self._thoughts.closing(token.text)
        if certain:
            self._out.append(ThinkingOut(certain))
        if over:
            self._begin_prose()
        return True

    # Calls

    def _open_tool(self, tag: str) -> None:
        self._tool = self._grammar.tools[tag]
        self._opening = [tag]
        self._mode = self._opened

    def _opened(self) -> bool:
        """A tool's opening tag was read: it begins a call only before one of the call's tags."""
        tool = self._tool
        assert tool is not None  # noqa: S101 - set by _open_tool, which chose this mode
        if space := self._reader.space():
            self._opening.append(space)
        tag = self._reader.here(tool.tags)
        if tag == "":
            return False
        if tag == tool.closing or tag in tool.openings:
            self._begin_call(tool)
        else:
            self._refuse_opening()
        return True

    def _begin_call(self, tool: ToolGrammar) -> None:
        self._call_id = new_id("call")
        self._call = CallReader(tool, self._call_id, draft=self._held is None)
        self._out += self._call.begin()
        self._mode = self._calling

    def _refuse_opening(self) -> None:
        text = "".join(self._opening)
        if self._held is None:
            self._say(text)
            self._mode = self._prose
        else:
            self._held.add(text)
            self._fence.see(text)
            self._release(self._fence_text)

    def _calling(self) -> bool:
        call = self._call
        assert call is not None  # noqa: S101 - set by _begin_call, which chose this mode
        token = self._reader.next(call.tags)
        if token is None:
            return False
        self._out += call.take(token)
        self._read_again(call)
        if call.call is not None:
            self._end_call(call, call.call, whole=True)
        return True

    def _read_again(self, call: CallReader) -> None:
        if call.again:
            self._reader.unread(call.again)
            call.again = ""

    def _end_call(self, call: CallReader, raw: RawCall, *, whole: bool) -> None:
        if self._held is None:
            self._out.append(verdict(raw, call.grammar.spec, self._call_id, whole=whole))
            self._begin_prose()
        else:
            self._held.add("".join(self._opening) + call.raw)
            self._held.calls.append(HeldCall(raw, call.grammar.spec, self._call_id))
            self._fence.restart()
            self._mode = self._fence_after_call

    # Code fences

    def _open_fence(self, mark: str) -> None:
        if self._held is None:
            self._held = Held()
        self._held.add(mark)
        self._opening = []
        self._fence = Fence(mark[0], _MARK_LENGTH)
        self._mode = self._fence_line

    def _fence_line(self) -> bool:
        """The rest of the line that opens a fence."""
        token = self._reader.next(_LINE_END)
        if token is None or self._held is None:
            return False
        self._held.add(token.text)
        self._opening.append(token.text)
        if token.is_tag:
            info, mark = "".join(self._opening), self._fence.mark
            language = info.lstrip(mark)
            self._fence = Fence(mark, _MARK_LENGTH + len(info) - len(language))
            self._mode = self._fence_lead
            if mark == "`" and mark in language:
                self._release(self._prose)
        return True

    def _fence_lead(self) -> bool:
        """An open fence that holds nothing yet."""
        return self._in_fence()

    def _fence_after_call(self) -> bool:
        """An open fence that holds calls and nothing else."""
        return self._in_fence()

    def _in_fence(self) -> bool:
        token = self._reader.next(self._grammar.prose)
        if token is None or self._held is None:
            return False
        if token.is_tag and token.text in self._grammar.tools:
            self._open_tool(token.text)
            return True
        if token.is_tag and token.text in WRAPPERS:
            self._held.add(token.text)
            return True
        return self._see_fence(token, self._held)

    def _see_fence(self, token: Token, held: Held) -> bool:
        closed = self._fence.see(token.text)
        text = token.text if closed < 0 else token.text[:closed]
        held.add(text)
        self._reader.unread(token.text[len(text) :])
        if closed >= 0 and held.calls:
            self._mode = self._fence_over
        elif closed >= 0:
            self._release(self._prose)
        elif not self._fence.is_bare or text.strip(f" \t\r\n{self._fence.mark}"):
            self._release(self._fence_text)
        return True

    def _fence_over(self) -> bool:
        """A fence that held only calls was closed: what follows tells what it was."""
        token = self._reader.next(self._grammar.prose)
        if token is None or self._held is None:
            return False
        if token.is_tag and token.text in FENCES:
            self._open_fence(token.text)
        elif token.text.isspace() or token.text in WRAPPERS:
            self._held.add(token.text)
        else:
            self._reader.unread(token.text)
            self._release(self._prose)
            self._line = Line()
        return True

    def _fence_text(self) -> bool:
        """An open fence that shows something: all text until it is closed."""
        token = self._reader.next(_FENCE_TAGS[self._fence.mark])
        if token is None:
            return False
        closed = self._fence.see(token.text)
        text = token.text if closed < 0 else token.text[:closed]
        self._reader.unread(token.text[len(text) :])
        self._out.append(TextOut(text))
        if closed >= 0:
            self._begin_prose()
        return True

    def _release(self, mode: Callable[[], bool]) -> None:
        """What was held back is text after all."""
        if self._held is not None:
            self._say(self._held.text)
        self._held = None
        self._mode = mode

    # The end

    def _end(self, *, whole: bool) -> bool:
        """End the mode that the answer ended in; return whether there is more to read."""
        rest = self._reader.rest()
        if self._mode == self._calling:
            return self._end_open_call(rest, whole=whole)
        if self._mode == self._opened:
            return self._end_opened(rest, whole=whole)
        if self._mode == self._thinking:
            return self._end_thinking(rest, whole=whole)
        if self._held is not None and self._end_fence(self._held, rest, whole=whole):
            rest = ""
        else:
            self._release(self._prose)
        if rest:
            self._out.append(TextOut(rest))
        self._held = None
        return False

    def _end_open_call(self, rest: str, *, whole: bool) -> bool:
        call = self._call
        assert call is not None  # noqa: S101 - set by _begin_call, which chose this mode
        self._out += call.close(may_guess=whole and self._guesses < _MOST_GUESSES)
        if call.call is None:
            self._guesses += 1
            self._reader.unread(call.again + rest)
            call.again = ""
            return True
        self._end_call(call, call.call, whole=whole)
        if call.again.strip():
            self._reader.unread(call.again + rest)
        return True

    def _end_opened(self, rest: str, *, whole: bool) -> bool:
        """A tool's opening tag came last: alone on its line it was the beginning of a call."""
        tool = self._tool
        assert tool is not None  # noqa: S101 - set by _open_tool, which chose this mode
        if self._line.blank or self._held is not None or rest:
            raw = RawCall(tool.spec.name, {}, partial=True)
            self._out.append(verdict(raw, tool.spec, new_id("call"), whole=whole))
            self._mode = self._prose
        else:
            self._refuse_opening()
        self._held = None
        return False

    def _end_thinking(self, rest: str, *, whole: bool) -> bool:
        doubtful = self._thoughts.rest()
        self._begin_prose()
        if doubtful and whole:
            self._reader.unread(doubtful + rest)
            return True
        if doubtful or rest:
            self._out.append(ThinkingOut(doubtful + rest))
        return False

    def _end_fence(self, held: Held, rest: str, *, whole: bool) -> bool:
        """Whether the fence is the end of the answer and holds calls only, which then run."""
        after_calls = self._mode in {self._fence_after_call, self._fence_over}
        if not after_calls or not self._fence.is_bare or rest.strip(self._fence.mark):
            return False
        for call in held.calls:
            self._out.append(
                verdict(call.raw, call.spec, call.call_id, whole=False)
                if whole
                else cut_in_fence(call.raw, call.call_id)
            )
        return True
