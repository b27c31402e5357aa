"""Code fences: an example stays text, a fence that holds only calls and ends the answer runs.

Which of the two a fence with a call is, only what follows tells. So such a fence is held back;
every other fence is text from its first line on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.formats.call_form import ReadCall
from hackamore.formats.lines import FENCES, Fence
from hackamore.formats.tags import TagReader, Tags, Token
from hackamore.formats.text_grammar import TextGrammar

_LINE_END: Final = Tags(("\n",))
_MARKS: Final = {mark[0]: Tags((mark,)) for mark in FENCES}
_MARK_LENGTH: Final = 3


@dataclass(frozen=True, slots=True)
class FenceStep:
    """What reading a little more of a fence gave.

    Attributes:
        text: Text for the reader.
        opening: The opening tag of a form was read: a call may begin here.
        over: What comes next is prose.
    """

    text: str = ""
    opening: str = ""
    over: bool = False


_HELD: Final = FenceStep()


class FenceReader:
    """Reads one fence, or several that hold calls and follow each other."""

    def __init__(self, mark: str, reader: TagReader, grammar: TextGrammar) -> None:
        self._reader = reader
        self._grammar = grammar
        self._held: list[str] = []
        self._calls: list[ReadCall] = []
        self._open(mark)

    def read(self) -> FenceStep | None:
        """Read a little more; None when more text must come first."""
        return self._mode()

    def refuse(self, text: str) -> FenceStep:
        """Take back an opening tag, and what follows it: no call began there."""
        self._held.append(text)
        self._fence.see(text)
        return self._released(self._shown)

    def hold(self, text: str) -> None:
        """Take an opening tag that only wraps what follows."""
        self._held.append(text)

    def add(self, text: str, calls: Sequence[ReadCall]) -> None:
        """Take calls that were read, and how they were written."""
        self._held.append(text)
        self._calls += calls
        self._fence.restart()
        self._mode = self._bare

    def end(self, rest: str) -> tuple[str, tuple[ReadCall, ...]]:
        """The answer is over: return the text that was held back, or the calls that count."""
        ends_with_calls = self._mode in {self._bare, self._closed} and bool(self._calls)
        if ends_with_calls and self._fence.is_bare and not rest.strip(self._fence.mark):
            return "", tuple(self._calls)
        return "".join(self._held) + rest, ()

    def _open(self, mark: str) -> None:
        self._held.append(mark)
        self._info: list[str] = []
        self._fence = Fence(mark[0], _MARK_LENGTH)
        self._mode: Callable[[], FenceStep | None] = self._first_line

    def _first_line(self) -> FenceStep | None:
        """Read the rest of the line that opens the fence."""
        token = self._reader.next(_LINE_END)
        if token is None:
            return None
        self._held.append(token.text)
        self._info.append(token.text)
        if not token.is_tag:
            return _HELD
        info, mark = "".join(self._info), self._fence.mark
        language = info.lstrip(mark)
        if mark == "`" and mark in language:
            return self._released(None)
        self._fence = Fence(mark, _MARK_LENGTH + len(info) - len(language))
        self._mode = self._bare
        return _HELD

    def _bare(self) -> FenceStep | None:
        """Read a fence that holds calls, or nothing yet."""
        token = self._reader.next(self._grammar.prose)
        if token is None:
            return None
        if token.text in self._grammar.forms:
            return FenceStep(opening=token.text)
        if token.text in self._grammar.wrappers:
            self._held.append(token.text)
            return _HELD
        closed = self._see(token)
        text = token.text if closed < 0 else token.text[:closed]
        self._held.append(text)
        if closed >= 0:
            self._mode = self._closed
            return _HELD if self._calls else self._released(None)
        if not self._fence.is_bare or text.strip(f" \t\r\n{self._fence.mark}"):
            return self._released(self._shown)
        return _HELD

    def _closed(self) -> FenceStep | None:
        """Read on after a fence that held only calls was closed: what follows tells what it was."""
        token = self._reader.next(self._grammar.prose)
        if token is None:
            return None
        if token.text in FENCES:
            self._open(token.text)
        elif token.text.isspace() or token.text in self._grammar.wrappers:
            self._held.append(token.text)
        else:
            self._reader.unread(token.text)
            return self._released(None)
        return _HELD

    def _shown(self) -> FenceStep | None:
        """Read a fence that shows something: all is text until it is closed."""
        token = self._reader.next(_MARKS[self._fence.mark])
        if token is None:
            return None
        closed = self._see(token)
        return FenceStep(token.text if closed < 0 else token.text[:closed], over=closed >= 0)

    def _see(self, token: Token) -> int:
        """Return where in `token` the fence is closed, or -1; what follows is unread."""
        closed = self._fence.see(token.text)
        if closed >= 0:
            self._reader.unread(token.text[closed:])
        return closed

    def _released(self, mode: Callable[[], FenceStep | None] | None) -> FenceStep:
        """What was held back is text after all; without a mode, the fence is over."""
        text, self._held, self._calls = "".join(self._held), [], []
        if mode is not None:
            self._mode = mode
        return FenceStep(text, over=mode is None)
