"""Decides what becomes of a call that was read: it runs, it is corrected, or it was cut off."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hackamore.core.effects import Effect
from hackamore.core.format import CallCut, CallMalformed, CallParsed
from hackamore.core.json import JSON
from hackamore.core.messages import ToolCall
from hackamore.core.tools import ToolSpec
from hackamore.formats.coerce import coerce
from hackamore.formats.xml_call import RawCall
from hackamore.formats.xml_write import write_call

FORM: Final = "xml"


@dataclass(slots=True)
class _Reading:
    """The values of a call as its schema has them, and what was wrong with the others."""

    arguments: dict[str, JSON] = field(default_factory=dict[str, JSON])
    problems: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])


def verdict(
    raw: RawCall, spec: ToolSpec, call_id: str, *, whole: bool
) -> CallParsed | CallMalformed | CallCut:
    """Return the event of a call that is over.

    `whole` is whether the answer ended by itself. Only then may a call of a read-only tool run
    whose closing tag is missing.
    """
    missing = [name for name in spec.required if name not in raw.params]
    if raw.partial and not (whole and _may_run(raw, spec) and not missing):
        return CallCut(ToolCall(call_id, spec.name, raw.params), _cut_words(raw))
    reading = _read(raw.params, spec)
    if missing:
        names = ", ".join(repr(name) for name in missing)
        reading.problems.append(f"Missing value for required parameter {names}.")
    reading.problems += [f"{name!r} is given twice; make two calls." for name in raw.repeated]
    if raw.strays and spec.effect is not Effect.READ:
        known = ", ".join(spec.properties)
        reading.problems.append(f"{raw.strays[0]!r} is no parameter (it has: {known}).")
    if reading.problems:
        problem = " ".join([f"{spec.name} was not run.", *reading.problems, right_form(spec)])
        return CallMalformed(ToolCall(call_id, spec.name, raw.params), problem)
    call = ToolCall(call_id, spec.name, reading.arguments)
    return CallParsed(call, FORM, " ".join(reading.warnings))


def cut_in_fence(raw: RawCall, call_id: str) -> CallCut:
    """Return the event of a call in a code fence after which the answer was cut off."""
    problem = (
        f"{raw.name} was not run: it stood in a code fence, and the answer was cut off before "
        f"it was clear whether it was an example. Write the call again, without a fence."
    )
    return CallCut(ToolCall(call_id, raw.name, raw.params), problem)


def right_form(spec: ToolSpec) -> str:
    """Return a sentence that shows how `spec` is called."""
    example = spec.example or dict.fromkeys(spec.required, "…")
    return f"The right form:\n{write_call(spec.name, example)}"


def _may_run(raw: RawCall, spec: ToolSpec) -> bool:
    return spec.effect is Effect.READ and raw.open_param is None and bool(raw.params)


def _read(params: Mapping[str, str], spec: ToolSpec) -> _Reading:
    reading = _Reading()
    for name, text in params.items():
        try:
            reading.arguments[name] = coerce(text, spec.properties[name], spec)
        except ValueError as error:
            words = f"{name!r} could not be read: {error}."
            is_ornament = spec.control and name not in spec.required
            (reading.warnings if is_ornament else reading.problems).append(words)
    return reading


def _cut_words(raw: RawCall) -> str:
    tool = raw.name
    if raw.open_param is not None:
        length = len(raw.params[raw.open_param])
        where = f"in the middle of {raw.open_param!r}, after {length} characters"
    else:
        where = f"before </{tool}>"
    return (
        f"{tool} was not run: the answer ended {where}. Write the whole call again, "
        f"in smaller parts if it is long."
    )
