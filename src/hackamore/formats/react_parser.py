"""Reads an answer in the ReAct format: lines with labels, and the text that belongs to them.

What comes after a label goes where the label says: thoughts become thinking, a final answer
becomes text, an observation, which only we may write, is dropped. After the first Action the
answer is over, whatever still comes.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from hackamore.core.format import FormatEvent, TextOut, ThinkingOut
from hackamore.core.ids import new_id
from hackamore.core.messages import ToolCall
from hackamore.core.model import CallPiece, FinishReason
from hackamore.core.tools import ToolSpec
from hackamore.formats.call_judge import CallJudge
from hackamore.formats.code_block import CodeBlock
from hackamore.formats.lines import FENCES, Line
from hackamore.formats.react_action import ActionReading
from hackamore.formats.react_labels import BOLD, LABELS, Label, is_open_bold
from hackamore.formats.react_write import FORM, write_call
from hackamore.formats.tags import TagReader, Tags
from hackamore.formats.thinking import (
    THINKING_CLOSINGS,
    THINKING_OPENINGS,
    THINKING_TAGS,
    ThinkingBlock,
)

_PROSE: Final = Tags((*LABELS, *THINKING_OPENINGS, *THINKING_CLOSINGS, *FENCES))
_SPACES: Final = re.compile(r"[ \t]*")
_BOLD: Final = Tags((BOLD,))
_BATCH: Final = 64
"""Characters of arguments that are read at once: a draft of fewer is not worth an event."""

_Section = Literal["start", "thought", "observation", "answer"]
_SECTIONS: Final[Mapping[Label, _Section]] = {
    Label.THOUGHT: "thought",
    Label.OBSERVATION: "observation",
    Label.ANSWER: "answer",
}


class ReactParser:
    """Reads one answer."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._judge = CallJudge({spec.name: spec for spec in tools}, FORM, write_call)
        self._reader = TagReader()
        self._out: list[FormatEvent] = []
        self._line = Line()
        self._section: _Section = "start"
        self._label = ""
        self._after_label = False
        self._bold = False
        self._action: ActionReading | None = None
        self._thoughts: ThinkingBlock | None = None
        self._block: CodeBlock | None = None
        self._over = False
        self._is_plain = True
        self._waiting: list[str] = []
        self._waiting_length = 0

    def feed(self, text: str) -> Sequence[FormatEvent]:
        """Take more of the answer's text; return what is certain by now."""
        if self._is_plain and _PROSE.is_quiet(text):
            self._line.see(text)
            return _as_section(text, self._section)
        if self._over or (self._action is not None and self._may_wait(text, self._action)):
            return ()
        self._push(text)
        self._run()
        return self._given()

    def feed_call(self, piece: CallPiece) -> Sequence[FormatEvent]:
        """Leave out a piece of a native call: no tool was offered so."""
        del piece
        return ()

    def close(self, finish: FinishReason = "stop") -> Sequence[FormatEvent]:
        """The answer is over: return what was held back, and the call."""
        whole = finish not in {"length", "filter"}
        self._push("")
        self._run()
        while not self._over and self._end(whole=whole):
            self._run()
        return self._given()

    def _may_wait(self, text: str, action: ActionReading) -> bool:
        """Keep a little of an Action's arguments, to read it with what follows."""
        if self._waiting_length >= _BATCH or not action.is_quiet(text):
            return False
        self._waiting.append(text)
        self._waiting_length += len(text)
        return True

    def _push(self, text: str) -> None:
        self._reader.push("".join(self._waiting) + text)
        self._waiting = []
        self._waiting_length = 0

    def _run(self) -> None:
        while not self._over and self._step():
            pass
        inside = self._action or self._thoughts or self._block or self._after_label or self._over
        self._is_plain = self._reader.is_empty and not inside

    def _given(self) -> Sequence[FormatEvent]:
        events, self._out = self._out, []
        return events

    def _step(self) -> bool:
        if self._action is not None:
            return self._read_action(self._action)
        if self._thoughts is not None:
            return self._read_thoughts(self._thoughts)
        if self._block is not None:
            return self._read_block(self._block)
        if self._after_label:
            return self._read_after_label()
        return self._read_prose()

    # Lines and their labels

    def _read_prose(self) -> bool:
        token = self._reader.next(_PROSE)
        if token is None:
            return False
        tag = token.text
        if not token.is_tag or self._line.in_code:
            self._say(tag)
        elif tag in THINKING_OPENINGS:
            self._thoughts = ThinkingBlock()
        elif tag in THINKING_CLOSINGS:
            pass
        elif not self._line.blank:
            self._say(tag)
        elif tag in FENCES:
            self._block = CodeBlock(tag)
            self._say(tag)
        else:
            self._begin_line(tag, LABELS[tag])
        return True

    def _begin_line(self, tag: str, label: Label) -> None:
        if label is Label.ACTION and self._section != "answer":
            sure = self._section != "start"
            self._label, self._action = tag, ActionReading(self._judge, sure=sure)
        elif label in _SECTIONS:
            self._section = _SECTIONS[label]
            self._line.see(tag)
            self._after_label, self._bold = True, is_open_bold(tag)
        else:
            self._say(tag)

    def _read_after_label(self) -> bool:
        """Skip the end of bold marks, and white space."""
        self._reader.match(_SPACES)
        mark = self._reader.here(_BOLD) if self._bold else None
        if self._reader.is_empty or mark == "":
            return False
        if mark is not None:
            self._reader.next(_BOLD)
        self._bold = False
        self._line.see(self._reader.space())
        self._after_label = self._reader.is_empty
        return not self._after_label

    def _say(self, text: str) -> None:
        self._line.see(text)
        self._out += _as_section(text, self._section)

    # Thinking and code blocks

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
        self._think(certain)
        if over:
            self._thoughts = None
            self._line = Line()
        return True

    def _think(self, text: str) -> None:
        section = "observation" if self._section == "observation" else "thought"
        self._out += _as_section(text, section)

    def _read_block(self, block: CodeBlock) -> bool:
        step = block.read(self._reader)
        if step is None:
            return False
        text, over = step
        self._out += _as_section(text, self._section)
        if over:
            self._block = None
            self._line = Line()
        return True

    # Actions

    def _read_action(self, action: ActionReading) -> bool:
        events = action.read(self._reader)
        if events is None:
            return False
        self._out += events
        self._end_action(action)
        return True

    def _end_action(self, action: ActionReading) -> None:
        if action.kind == "open":
            return
        self._action = None
        if action.kind == "call" and action.call is not None:
            self._out.append(action.call.event)
            self._over = True
        elif action.kind == "none":
            self._line.see(self._label)
        elif self._section == "start":
            self._say(self._label)
            self._reader.unread(action.taken)
        else:
            why = "An Action must be a call of a tool, and nothing else."
            nothing = ToolCall(new_id("call"), "", {})
            self._out.append(self._judge.malformed(nothing, why).event)
            self._over = True

    # The end

    def _end(self, *, whole: bool) -> bool:
        """End what the answer ended in; return whether there may be more to read."""
        rest = self._reader.rest()
        if self._action is not None:
            action = self._action
            action.close(rest, whole=whole)
            self._end_action(action)
            if action.kind == "prose":
                self._reader.push(rest)
            return action.kind == "prose"
        if self._thoughts is not None:
            return self._end_thoughts(self._thoughts, rest, whole=whole)
        self._out += _as_section(rest, self._section)
        return False

    def _end_thoughts(self, block: ThinkingBlock, rest: str, *, whole: bool) -> bool:
        self._thoughts = None
        if block.rest() and whole:
            self._reader.unread(block.rest() + rest)
            self._line = Line()
            return True
        self._think(block.rest() + rest)
        return False


def _as_section(text: str, section: _Section) -> Sequence[FormatEvent]:
    """Return what becomes of `text` in `section`."""
    if not text or section == "observation":
        return ()
    return (ThinkingOut(text),) if section == "thought" else (TextOut(text),)
