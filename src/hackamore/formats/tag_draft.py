"""Shows a call in tags while it is being written."""

from collections.abc import Sequence
from typing import Final

from hackamore.core.format import CallDraft
from hackamore.formats.tag_grammar import ToolGrammar
from hackamore.formats.tags import Token

_ENOUGH: Final = 64
"""Characters that are worth an event."""


class DraftWriter:
    """Turns the growing values of one call into drafts.

    White space at the end is kept back, and so is what may yet be the end of the value; the
    drafts of a parameter together are its value.
    """

    def __init__(self, call_id: str, grammar: ToolGrammar) -> None:
        self._call_id = call_id
        self._grammar = grammar
        self.parameter("")

    def first(self) -> CallDraft:
        """Return the draft that announces the call."""
        return CallDraft(self._call_id, self._grammar.spec.name)

    def parameter(self, name: str) -> None:
        """Begin the value of the parameter `name`."""
        self._name = name
        self._pending: list[str] = []
        self._length = 0
        self._settled = 0
        self._shown = 0
        self._muted = False

    def mute(self) -> None:
        """Show the value only when it is whole."""
        self._muted = True

    def grow(self, token: Token, *, undecided: bool) -> Sequence[CallDraft]:
        """Take more of the value."""
        text = token.text
        self._pending.append(text)
        self._length += len(text)
        if undecided or text.isspace():
            return ()
        self._settled = self._length - len(text) + len(text.rstrip())
        return self.flush() if self._settled >= _ENOUGH else ()

    def flush(self) -> Sequence[CallDraft]:
        """Return what is certain and was not shown."""
        if self._muted or self._settled == 0:
            return ()
        joined = "".join(self._pending)
        text = joined[: self._settled]
        self._pending = [joined[self._settled :]]
        self._length -= self._settled
        self._settled = 0
        if self._shown == 0:
            text = self._without_lead(text)
        return self._draft(text)

    def end(self, value: str) -> Sequence[CallDraft]:
        """Return what of `value`, now whole, was not shown."""
        return (*self.flush(), *self._draft(value[self._shown :]))

    def _without_lead(self, text: str) -> str:
        if not self._grammar.is_verbatim(self._name):
            return text.lstrip()
        return text.removeprefix("\r\n") if text.startswith("\r\n") else text.removeprefix("\n")

    def _draft(self, text: str) -> Sequence[CallDraft]:
        if not text:
            return ()
        self._shown += len(text)
        return (CallDraft(self._call_id, self._grammar.spec.name, self._name, text),)
