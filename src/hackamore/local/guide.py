"""What an answer with a `CallGrammar` may go on with, token by token. Pure.

In plain text all is free, until a call begins; then the `json_machine` decides, to the end of the
call, which is the end of the answer. Small models often begin a call by other signs than they were
taught, such as a fence of JSON: an answer that begins so is begun anew, with the right sign.
"""

import json
import re
from typing import Final

from hackamore.core.generator import CallGrammar
from hackamore.local.json_machine import Either, Fixed, State, forced, may_end, steps
from hackamore.local.json_shapes import members

OPENING: Final = b"<tool_call>"
_CLOSING: Final = b"}\n</tool_call>"
_LIKE_A_CALL: Final = re.compile(
    rb"\s*(?:```\w*\s*)?(?:<tools?>|<tool_|<function|\[?\s*\{\s*\"(?:name|function|tool)\")"
)
_SIGNS: Final = (b"`", b"<", b"{", b"[")
_LONGEST_SIGN: Final = 32
_MARKER: Final = re.compile(rb"<\|\w+\|>")


class Guide:
    """Follows one answer.

    Attributes:
        over: The call is whole, so that the answer is.
    """

    def __init__(self, grammar: CallGrammar) -> None:
        self._grammar = grammar
        self._said = b""
        self._state: State | None = None
        self.over = False
        if grammar.required:
            self.begin_call()

    @property
    def undecided(self) -> bool:
        """Whether the answer so far may turn out to be a call by other signs."""
        text = self._said.lstrip()
        begun = not text or text[:1] in _SIGNS
        return self._state is None and begun and len(text) < _LONGEST_SIGN

    def begin_call(self) -> None:
        """The answer is a call, from its beginning on."""
        self._state = (Fixed(OPENING), *_call(self._grammar))

    def forced(self) -> bytes:
        """Return what comes next in any case."""
        return b"" if self._state is None else forced(self._state)

    def allows(self, piece: bytes, *, is_end: bool) -> bool:
        """Whether a token with these bytes may come next."""
        if self._state is not None:
            plain = bool(piece) and not is_end and not _MARKER.fullmatch(piece)
            return plain and steps(self._state, piece) is not None
        if self._grammar.tools or is_end:
            return True
        text = self._said + piece
        return OPENING not in text and text.lstrip()[:1] not in _SIGNS

    def add(self, piece: bytes) -> bool:
        """Take the next token; False when the answer is to begin anew, as a call."""
        if self._state is not None:
            self._follow(piece)
            return True
        held = self.undecided
        self._said += piece
        if self._said.endswith(OPENING):
            self._state = _call(self._grammar)
            return True
        return not (held and self._grammar.tools and _LIKE_A_CALL.match(self._said))

    def _follow(self, piece: bytes) -> None:
        state = None if self._state is None else steps(self._state, piece)
        if state is None:
            raise ValueError(f"{piece!r} may not come here")
        self._state = state
        self.over = may_end(state)


def _call(grammar: CallGrammar) -> State:
    """Return the state after the opening sign."""
    named = tuple(
        (Fixed(f'{json.dumps(tool.name)}, "arguments": {{'.encode()), *members(tool.parameters))
        for tool in grammar.tools
    )
    return (Fixed(b'\n{"name": '), Either(named), Fixed(_CLOSING))
