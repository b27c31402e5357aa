"""Decides what becomes of a call that was read: it runs, it is corrected, or it was cut off."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hackamore.core.effects import Effect
from hackamore.core.format import CallCut, CallMalformed, CallParsed
from hackamore.core.json import JSON
from hackamore.core.messages import ToolCall
from hackamore.core.tools import ToolSpec
from hackamore.formats.coerce import coerce
from hackamore.formats.corrections import missing_values, right_form
from hackamore.formats.tag_grammar import ToolGrammar


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call as it was written: every value is text.

    Attributes:
        name: The tool.
        params: The values by parameter, cleaned of what belongs to the format.
        partial: The answer ended before the call did.
        open_param: The parameter that was being written when the answer ended, if any.
        strays: What stood between the parameters and is none: names of elements, or text.
        repeated: Short parameters whose value holds a second one of the same name.
    """

    name: str
    params: dict[str, str]
    partial: bool = False
    open_param: str | None = None
    strays: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TagCall:
    """A call that was read, and by which grammar."""

    raw: RawCall
    grammar: ToolGrammar
    call_id: str

    @property
    def shown(self) -> ToolCall:
        """The call with its values as text."""
        return ToolCall(self.call_id, self.raw.name, self.raw.params)

    def outcome(self, *, whole: bool) -> CallParsed | CallMalformed | CallCut:
        """Return the event of the call.

        Only when the answer is whole may a call of a read-only tool run whose closing tag is
        missing.
        """
        return _verdict(self, whole=whole)


@dataclass(slots=True)
class _Reading:
    """The values of a call as its schema has them, and what was wrong with the others."""

    arguments: dict[str, JSON] = field(default_factory=dict[str, JSON])
    problems: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])


def _verdict(call: TagCall, *, whole: bool) -> CallParsed | CallMalformed | CallCut:
    raw, spec = call.raw, call.grammar.spec
    missing = [name for name in spec.required if name not in raw.params]
    if raw.partial and not (whole and _may_run(raw, spec) and not missing):
        return CallCut(call.shown, _cut_words(raw, call.grammar))
    reading = _read(raw.params, call.grammar)
    if missing:
        reading.problems.append(missing_values(missing))
    reading.problems += [f"{name!r} is given twice; make two calls." for name in raw.repeated]
    if raw.strays and spec.effect is not Effect.READ:
        known = ", ".join(call.grammar.properties)
        reading.problems.append(f"{raw.strays[0]!r} is no parameter (it has: {known}).")
    spelling = call.grammar.spelling
    if reading.problems:
        right = right_form(spec, spelling.write)
        problem = " ".join([f"{spec.name} was not run.", *reading.problems, right])
        return CallMalformed(call.shown, problem)
    parsed = ToolCall(call.call_id, spec.name, reading.arguments)
    return CallParsed(parsed, spelling.form, " ".join(reading.warnings))


def _may_run(raw: RawCall, spec: ToolSpec) -> bool:
    return spec.effect is Effect.READ and raw.open_param is None and bool(raw.params)


def _read(params: Mapping[str, str], grammar: ToolGrammar) -> _Reading:
    reading = _Reading()
    spec = grammar.spec
    for name, text in params.items():
        try:
            reading.arguments[name] = coerce(text, grammar.properties[name], spec)
        except ValueError as error:
            words = f"{name!r} could not be read: {error}."
            is_ornament = spec.control and name not in spec.required
            (reading.warnings if is_ornament else reading.problems).append(words)
    return reading


def _cut_words(raw: RawCall, grammar: ToolGrammar) -> str:
    tool = raw.name
    if raw.open_param is not None:
        length = len(raw.params[raw.open_param])
        where = f"in the middle of {raw.open_param!r}, after {length} characters"
    else:
        where = f"before {grammar.closing}"
    return (
        f"{tool} was not run: the answer ended {where}. Write the whole call again, "
        f"in smaller parts if it is long."
    )
