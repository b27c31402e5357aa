"""Reads one Action of ReAct, from its label to the end of its arguments.

Written are ``name(arguments)``, or the name on the label's line and the arguments after
``Action Input:``. What is neither was prose, or a mistake; the parser decides which.
"""

import io
import re
from collections.abc import Callable, Sequence
from typing import Final, Literal

from hackamore.core.format import FormatEvent
from hackamore.core.ids import new_id
from hackamore.core.json import JSONObject
from hackamore.core.messages import ToolCall
from hackamore.core.tools import ToolSpec
from hackamore.formats.bracket_scan import BracketScan
from hackamore.formats.call_judge import CallJudge, DecidedCall
from hackamore.formats.json_call_draft import JsonCallDraft
from hackamore.formats.lines import FENCES
from hackamore.formats.react_arguments import read_arguments, read_input
from hackamore.formats.react_labels import BOLD, INPUT_LABELS, LABELS, is_open_bold
from hackamore.formats.tags import TagReader, Tags

_LEAD: Final = re.compile(r"[\s*`]*")
_NAME: Final = re.compile(r"[\w./-]*")
_GAP: Final = re.compile(r"[ \t\r*`]*")
_LINE: Final = re.compile(r"[^\n]*")
_LANGUAGE: Final = re.compile(r"[^\n{]*")
_AFTER_NAME: Final = Tags(("(", "\uff08", "\n"))
_BOLD: Final = Tags((BOLD,))
_BRACE: Final = Tags(("{",))
_ENDS: Final = Tags((*LABELS, *FENCES))
_LONGEST_NAME: Final = 64
_NO_ACTION: Final = frozenset({"none", "null", "n/a"})

Kind = Literal["open", "call", "prose", "none"]


class ActionReading:
    """One Action that is being read.

    Attributes:
        kind: What it turned out to be; ``none`` when it says that there is no Action.
        call: The call, when it is one.
    """

    def __init__(self, judge: CallJudge, *, sure: bool) -> None:
        """Begin after the label; `sure` says that nothing but an Action can be meant here."""
        self.kind: Kind = "open"
        self.call: DecidedCall | None = None
        self._judge = judge
        self._sure = sure
        self._call_id = new_id("call")
        self._name = ""
        self._taken: list[str] = []
        self._gap = 0
        self._bold = False
        self._scan = BracketScan()
        self._text = io.StringIO()
        self._draft = JsonCallDraft(self._call_id)
        self._is_json: bool | None = None
        self._read: Callable[[str, ToolSpec], JSONObject] = read_input
        self._mode: Callable[[TagReader], Sequence[FormatEvent] | None] = self._read_lead

    @property
    def taken(self) -> str:
        """What was read of an Action that turned out to be prose."""
        return "".join(self._taken)

    def is_quiet(self, text: str) -> bool:
        """Whether nothing in `text` could end the arguments."""
        return self._mode == self._read_brackets and self._scan.is_quiet(text)

    def read(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        """Read a little more; None when more text must come first."""
        return self._mode(reader)

    def close(self, rest: str, *, whole: bool) -> None:
        """The answer is over; `rest` was not read, `whole` is whether it ended by itself."""
        if self._mode == self._read_lead:
            self.kind = "none"
        elif not whole or self._mode in (self._read_brackets, self._read_language):
            self._end(self._judge.cut(self._shown(), self._text.tell()))
        elif self._mode in (self._read_line, self._read_after_line):
            self._end_line(alone=not rest.strip())
        elif self._mode == self._read_input:
            self._decide()
        else:
            self._end_name()

    # The name

    def _read_lead(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        self._taken.append(reader.match(_LEAD))
        return self._then(self._read_name, reader)

    def _read_name(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        piece = reader.match(_NAME)
        self._taken.append(piece)
        self._name += piece
        if len(self._name) > _LONGEST_NAME:
            self.kind = "prose"
            return ()
        return self._then(self._read_gap, reader)

    def _read_gap(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        piece = reader.match(_GAP)
        self._taken.append(piece)
        self._gap += len(piece)
        if reader.is_empty:
            return None
        mark = reader.here(_AFTER_NAME)
        if self._name.lower() in _NO_ACTION:
            self._mode = self._read_no_action
        elif mark == "\n":
            self._mode = self._read_break
        elif mark and self._name and self._is_meant(adjacent=self._gap == 0):
            self._scan = BracketScan("(")
            self._read = read_arguments
            reader.next(_AFTER_NAME)
            return self._begin()
        else:
            self.kind = "prose"
        return ()

    def _read_no_action(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        reader.match(_LINE)
        if reader.is_empty:
            return None
        self.kind = "none"
        return ()

    def _read_break(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        """Read on after a line with only a name: its input may follow."""
        self._taken.append(reader.space())
        label = reader.here(INPUT_LABELS)
        if reader.is_empty or label == "":
            return None
        if label is None or not self._is_meant(adjacent=False):
            self._end_name()
            return ()
        reader.next(INPUT_LABELS)
        self._bold = is_open_bold(label)
        self._mode = self._read_input
        return ()

    def _is_meant(self, *, adjacent: bool) -> bool:
        return self._sure or adjacent or self._name in self._judge.tools

    def _end_name(self) -> None:
        """End without arguments: with a Thought before it, this was a call."""
        if self._name.lower() in _NO_ACTION:
            self.kind = "none"
        elif self._sure:
            self._decide()
        else:
            self.kind = "prose"

    # The arguments

    def _begin(self) -> Sequence[FormatEvent]:
        self._mode = self._read_brackets
        if self._name not in self._judge.tools:
            return ()
        self._draft = JsonCallDraft(self._call_id, self._name)
        return self._draft.first()

    def _read_brackets(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        if reader.is_empty:
            return None
        piece = reader.until(self._scan.feed)
        self._text.write(piece)
        if self._is_json is None and not piece.isspace():
            self._is_json = piece.lstrip().startswith("{")
        drafts = self._draft.feed(piece) if self._is_json and self._draft.tool else ()
        if self._scan.over:
            self._decide()
        return drafts

    def _read_input(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        reader.space()
        if reader.is_empty:
            return None
        mark = reader.here(_BOLD) if self._bold else reader.here(_ENDS)
        if mark == "":
            return None
        if mark == BOLD:
            reader.next(_BOLD)
        elif mark in FENCES:
            reader.next(_ENDS)
            self._mode = self._read_language
        elif mark is not None:
            self._decide()
        elif not self._bold:
            return self._begin_input(reader)
        self._bold = False
        return ()

    def _read_language(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        reader.match(_LANGUAGE)
        return self._then(self._read_input, reader)

    def _begin_input(self, reader: TagReader) -> Sequence[FormatEvent]:
        drafts = self._begin()
        if reader.here(_BRACE) != "{":
            self._mode = self._read_line
        return drafts

    def _read_line(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        self._text.write(reader.match(_LINE))
        return self._then(self._read_after_line, reader)

    def _read_after_line(self, reader: TagReader) -> Sequence[FormatEvent] | None:
        reader.space()
        mark = reader.here(_ENDS)
        if reader.is_empty or mark == "":
            return None
        self._end_line(alone=mark is not None)
        return ()

    # The end

    def _end_line(self, *, alone: bool) -> None:
        if alone:
            self._decide()
        else:
            why = "Its input has several lines: write it as JSON."
            self._end(self._judge.malformed(self._shown(), why))

    def _decide(self) -> None:
        spec = self._judge.tools.get(self._name)
        if spec is None:
            self._end(self._judge.malformed(self._shown(), ""))
            return
        text = self._text.getvalue()
        try:
            if self._scan.broken:
                raise ValueError("the brackets do not match")  # noqa: TRY301 - one way to fail
            arguments = self._read(text[:-1] if self._read is read_arguments else text, spec)
        except ValueError as error:
            why = f"Its arguments cannot be read: {error}."
            self._end(self._judge.malformed(self._shown(), why))
        else:
            self._end(self._judge.judged(ToolCall(self._call_id, self._name, arguments)))

    def _end(self, call: DecidedCall) -> None:
        self.call = call
        self.kind = "call"

    def _shown(self) -> ToolCall:
        return ToolCall(self._call_id, self._name, self._draft.values())

    def _then(
        self, mode: Callable[[TagReader], Sequence[FormatEvent] | None], reader: TagReader
    ) -> Sequence[FormatEvent] | None:
        """Go on with `mode`, once there is something for it to read."""
        if reader.is_empty:
            return None
        self._mode = mode
        return ()
