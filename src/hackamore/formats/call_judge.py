"""Judges the arguments of a call that were written as JSON or alike: it runs, or is corrected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hackamore.core.format import CallCut, CallMalformed, CallParsed
from hackamore.core.json import JSON, JSONObject
from hackamore.core.messages import ToolCall
from hackamore.core.tools import ToolSpec
from hackamore.formats.coerce import loosened
from hackamore.formats.corrections import missing_values, right_form


@dataclass(frozen=True, slots=True)
class DecidedCall:
    """A call whose outcome does not depend on how the answer ends."""

    event: CallParsed | CallMalformed | CallCut

    @property
    def shown(self) -> ToolCall:
        """The call as far as it was understood."""
        return self.event.call

    def outcome(self, *, whole: bool) -> CallParsed | CallMalformed | CallCut:
        """Return the event of the call."""
        del whole
        return self.event


@dataclass(frozen=True, slots=True)
class CallJudge:
    """Turns what was read of calls into events.

    Attributes:
        tools: The tools by name.
        form: The format that the calls are written in.
        write: Writes a call in it, for corrections.
    """

    tools: Mapping[str, ToolSpec]
    form: str
    write: Callable[[str, JSONObject], str]

    def judged(self, call: ToolCall) -> DecidedCall:
        """Return a call whose arguments were read: it is right if the tool takes them."""
        spec = self.tools.get(call.name)
        if spec is None:
            return self.malformed(call, "")
        arguments = loosened(call.arguments, spec)
        missing = [name for name in spec.required if name not in arguments]
        if missing:
            return self.malformed(call, missing_values(missing))
        return DecidedCall(CallParsed(ToolCall(call.id, call.name, arguments), self.form))

    def malformed(self, call: ToolCall, why: str) -> DecidedCall:
        """Return a call that cannot be read; `why` is a sentence, or more."""
        spec = self.tools.get(call.name)
        right = self._tools_words(call.name) if spec is None else right_form(spec, self.write)
        words = (f"{call.name or 'A call'} was not run.", why, right)
        return DecidedCall(CallMalformed(call, " ".join(filter(None, words))))

    def cut(self, call: ToolCall, length: int) -> DecidedCall:
        """Return a call that the answer ended in, after `length` characters of arguments."""
        problem = (
            f"{call.name or 'A call'} was not run: the answer ended inside its arguments, after "
            f"{length} characters. Write the whole call again, in smaller parts if it is long."
        )
        return DecidedCall(CallCut(call, problem))

    def _tools_words(self, name: str) -> str:
        if name:
            return f"There is no tool {name!r}. Tools: {', '.join(self.tools) or 'none'}."
        first = next(iter(self.tools.values()), None)
        return "" if first is None else right_form(first, self.write)


def as_object(value: JSON, read: Callable[[str], JSON]) -> JSONObject:
    """Return `value` as arguments: an object, or a text that `read` turns into one.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(value, str):
        value = read(value) if value.strip() else None
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    kind = "a list" if isinstance(value, Sequence) else f"{value!r}"
    raise ValueError(f"the arguments must be a JSON object, not {kind}")
