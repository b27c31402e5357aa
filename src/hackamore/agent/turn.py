"""One answer of the model, read as it comes: shown at once, believed when it is whole."""

import re
from collections.abc import AsyncIterable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never

from hackamore.core.errors import ModelError
from hackamore.core.events import Emit, TextDelta, ThinkingDelta, ToolDraft, Usage, Warned
from hackamore.core.format import (
    CallCut,
    CallDraft,
    CallMalformed,
    CallParsed,
    FormatEvent,
    Parser,
    TextOut,
    ThinkingOut,
)
from hackamore.core.messages import Message, Part, Text, Thinking, ToolCall, ToolResult
from hackamore.core.model import (
    CallPiece,
    Finished,
    FinishReason,
    ModelEvent,
    TextPiece,
    ThinkingPiece,
    UsageReport,
)

_LONGEST: Final = 4_000_000


@dataclass(slots=True)
class Turn:
    """What the model said and asked for.

    Attributes:
        parts: The message for the history, in the order it was written.
        calls: What may be judged and run.
        problems: Answers to calls that could not be read; these do not run.
        form: The format that the calls were written in, or None without calls.
        finish: Why the answer ended.
    """

    parts: list[Part] = field(default_factory=list[Part])
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    problems: list[ToolResult] = field(default_factory=list[ToolResult])
    form: str | None = None
    finish: FinishReason = "unknown"

    @property
    def message(self) -> Message:
        """The whole answer."""
        return Message("assistant", tuple(self.parts))

    @property
    def text(self) -> str:
        """The words, without thoughts and calls."""
        return self.message.text.strip()

    @property
    def empty(self) -> bool:
        """Nothing was said and nothing asked for."""
        return not self.text and not self.calls and not self.problems


async def read_turn(pieces: AsyncIterable[ModelEvent], parser: Parser, emit: Emit) -> Turn:
    """Read an answer to its end, telling the watchers as it comes.

    Raises:
        ModelError: It is longer than any sensible answer.
    """
    turn = Turn()
    length = 0
    async for piece in pieces:
        length += _length(piece)
        if length > _LONGEST:
            raise ModelError(f"The answer went on for more than {_LONGEST:,} characters.")
        match piece:
            case TextPiece(text=text):
                _take(turn, parser.feed(text), emit)
            case CallPiece():
                _take(turn, parser.feed_call(piece), emit)
            case ThinkingPiece(text=text):
                _take(turn, (ThinkingOut(text),), emit)
            case UsageReport():
                emit(Usage(piece.input_tokens, piece.output_tokens, piece.cached_tokens))
            case Finished(reason=reason):
                turn.finish = reason
            case _:
                assert_never(piece)
    _take(turn, parser.close(turn.finish), emit)
    return turn


def _length(piece: ModelEvent) -> int:
    match piece:
        case TextPiece(text=text) | ThinkingPiece(text=text) | CallPiece(arguments=text):
            return len(text)
        case _:
            return 0


def _take(turn: Turn, events: Iterable[FormatEvent], emit: Emit) -> None:
    for event in events:
        match event:
            case TextOut(text=text):
                emit(TextDelta(text))
                _join(turn.parts, Text(text))
            case ThinkingOut(text=text):
                emit(ThinkingDelta(text))
                _join(turn.parts, Thinking(text))
            case CallDraft():
                emit(ToolDraft(event.call_id, event.tool, event.parameter, event.text))
            case CallParsed(call=call, form=form, warning=warning):
                if warning:
                    emit(Warned(warning))
                turn.parts.append(call)
                turn.calls.append(call)
                turn.form = form
            case CallMalformed(call=call, problem=problem) | CallCut(call=call, problem=problem):
                turn.parts.append(call)
                turn.problems.append(ToolResult(call.id, call.name, problem, is_error=True))
            case _:
                assert_never(event)


def _join(parts: list[Part], piece: Text | Thinking) -> None:
    """Append a piece, or lengthen the last part when it is of the same kind."""
    last = parts[-1] if parts else None
    if isinstance(last, Text) and isinstance(piece, Text):
        parts[-1] = Text(last.text + piece.text)
    elif isinstance(last, Thinking) and isinstance(piece, Thinking):
        parts[-1] = Thinking(last.text + piece.text)
    else:
        parts.append(piece)


_FOREIGN: Final = re.compile(
    r"\[TOOL_CALLS?\]|<\|?tool_calls?\b|<function=|<invoke\b|```tool_code|&lt;(\w+)&gt;"
)

_CODE: Final = re.compile(r"```(?!tool_code).*?(```|\Z)|`[^`\n]+`", re.DOTALL)


def foreign_call(text: str, names: Sequence[str]) -> bool:
    """Return whether `text` announces a call in a spelling that the format does not know."""
    prose = _CODE.sub("", text)
    return any(
        found.group(1) is None or found.group(1) in names for found in _FOREIGN.finditer(prose)
    )
