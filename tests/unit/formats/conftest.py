"""How tests of the formats read answers."""

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Sequence

import pytest

from hackamore.core.format import CallDraft, FormatEvent, Parser, TextOut, ThinkingOut
from hackamore.core.model import FinishReason
from hackamore.formats.registry import get_format
from hackamore.testing.sample_tools import SAMPLE_TOOLS

Read = Callable[..., list[FormatEvent]]


def feed(parser: Parser, pieces: Iterable[str], finish: FinishReason) -> list[FormatEvent]:
    events: list[FormatEvent] = []
    for piece in pieces:
        events += parser.feed(piece)
    return merged([*events, *parser.close(finish)])


def merged(events: Sequence[FormatEvent]) -> list[FormatEvent]:
    """Join neighbours of the same kind and make ids equal in equal readings."""
    ids: dict[str, str] = {}
    found: list[FormatEvent] = []
    for event in events:
        last = found[-1] if found else None
        match event:
            case TextOut(text) if isinstance(last, TextOut):
                found[-1] = TextOut(last.text + text)
            case ThinkingOut(text) if isinstance(last, ThinkingOut):
                found[-1] = ThinkingOut(last.text + text)
            case CallDraft(call_id, tool, parameter, text):
                name = ids.setdefault(call_id, f"call_{len(ids)}")
                if isinstance(last, CallDraft) and last.parameter == parameter:
                    text = last.text + text
                    found.pop()
                found.append(CallDraft(name, tool, parameter, text))
            case TextOut() | ThinkingOut():
                found.append(event)
            case _:
                name = ids.setdefault(event.call.id, f"call_{len(ids)}")
                call = dataclasses.replace(event.call, id=name)
                found.append(dataclasses.replace(event, call=call))
    return found


@pytest.fixture(scope="session")
def read() -> Read:
    """Read an answer, in the XML format if no other is named: whole, or cut at given places."""

    def read_answer(
        text: str, cuts: Iterable[int] = (), finish: FinishReason = "stop", form: str = "xml"
    ) -> list[FormatEvent]:
        places = [0, *sorted(cuts), len(text)]
        pieces = [text[start:end] for start, end in itertools.pairwise(places)]
        return feed(get_format(form).parser(SAMPLE_TOOLS), pieces, finish)

    return read_answer
