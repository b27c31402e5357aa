"""Puts native tool calls together from their pieces, as servers really send them.

Some servers leave out the id, repeat the name in every piece, give every call the same index, or
send a call in one piece. A new id, or a new name after arguments that are whole, is a new call.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hackamore.core.format import CallCut, CallDraft, CallMalformed, CallParsed, FormatEvent
from hackamore.core.ids import new_id
from hackamore.core.json import JSONObject
from hackamore.core.messages import ToolCall
from hackamore.core.model import CallPiece, FinishReason
from hackamore.core.tools import ToolSpec
from hackamore.formats.json_draft import JsonDraft
from hackamore.formats.native_json import is_cut, read_arguments
from hackamore.formats.strict_json import parse_json, write_json

FORM: Final = "native"


@dataclass(slots=True)
class _Call:
    """A call that is being written."""

    given_id: str
    call_id: str
    name: str = ""
    pieces: list[str] = field(default_factory=list[str])
    draft: JsonDraft = field(default_factory=JsonDraft)
    announced: bool = False

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


class NativeCalls:
    """Reads the native calls of one answer."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools: Mapping[str, ToolSpec] = {spec.name: spec for spec in tools}
        self._calls: list[_Call] = []
        self._open: dict[int, _Call] = {}

    def feed(self, piece: CallPiece) -> Sequence[FormatEvent]:
        """Take a piece of a call; return drafts for showing."""
        call = self._call_of(piece)
        if not call.name:
            call.name = piece.name
        call.pieces.append(piece.arguments)
        return self._drafts(call, piece.arguments)

    def close(self, finish: FinishReason) -> Sequence[FormatEvent]:
        """The answer is over: return the calls."""
        whole = finish not in {"length", "filter"}
        return [self._ended(call, whole=whole) for call in self._calls]

    def _call_of(self, piece: CallPiece) -> _Call:
        call = self._open.get(piece.index)
        if call is None or _begins_another(call, piece):
            is_taken = any(piece.id == other.call_id for other in self._calls)
            call = _Call(piece.id, new_id("call") if is_taken or not piece.id else piece.id)
            self._open[piece.index] = call
            self._calls.append(call)
        return call

    def _drafts(self, call: _Call, arguments: str) -> Sequence[FormatEvent]:
        drafts: list[FormatEvent] = []
        if call.name and not call.announced:
            call.announced = True
            drafts.append(CallDraft(call.call_id, call.name))
            arguments = call.arguments
        if call.announced:
            grown = call.draft.feed(arguments)
            drafts += [CallDraft(call.call_id, call.name, key, text) for key, text in grown]
        return drafts

    def _ended(self, call: _Call, *, whole: bool) -> CallParsed | CallMalformed | CallCut:
        if not call.name:
            return _refused(call, "It has no name.", cut=not whole)
        spec = self._tools.get(call.name)
        text = call.arguments
        try:
            arguments = read_arguments(text, spec, whole=whole)
        except ValueError as error:
            return _refused(call, str(error), cut=not whole or is_cut(text))
        missing = [] if spec is None else [n for n in spec.required if n not in arguments]
        if missing:
            names = ", ".join(repr(name) for name in missing)
            problem = f"{call.name} was not run. Missing value for required parameter {names}."
            return CallMalformed(ToolCall(call.call_id, call.name, arguments), problem)
        return CallParsed(ToolCall(call.call_id, call.name, arguments), FORM)


def _begins_another(call: _Call, piece: CallPiece) -> bool:
    if piece.id and call.given_id:
        return piece.id != call.given_id
    return bool(piece.name) and bool(call.name) and _is_whole(call.arguments)


def _is_whole(arguments: str) -> bool:
    try:
        parse_json(arguments)
    except ValueError:
        return False
    return True


def _refused(call: _Call, why: str, *, cut: bool) -> CallMalformed | CallCut:
    shown: JSONObject = call.draft.values()
    written = ToolCall(call.call_id, call.name, shown)
    if cut:
        return CallCut(
            written,
            f"{call.name or 'A call'} was not run: the answer ended inside its arguments, after "
            f"{len(call.arguments)} characters. Call it again, with less text at a time.",
        )
    start = write_json(call.arguments[:200])
    name = call.name or "A call"
    return CallMalformed(written, f"{name} was not run. {why} Its arguments begin with {start}.")
