"""A chat model that says what is written down beforehand.

model = ScriptedModel(
    Say(text="Let me look.", calls=[("read_file", {"path": "a.py"})]),
    Say(text="It prints 1."),
)
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from hackamore.core.errors import ModelError
from hackamore.core.json import JSONObject
from hackamore.core.model import (
    CallPiece,
    Finished,
    FinishReason,
    ModelEvent,
    ModelProfile,
    ModelRequest,
    TextPiece,
    ThinkingPiece,
    UsageReport,
)


@dataclass(frozen=True, slots=True)
class Say:
    """One answer.

    Attributes:
        text: Given out in pieces of `chunk` characters.
        thinking: Given out before the text.
        calls: Native calls, as names with arguments; a string is taken as raw JSON.
        error: Raised after everything else, instead of an end.
        hang: Says nothing more for ever, after everything else.
        finish: Why it ends; by default what fits.
        chunk: Characters in one piece.
    """

    text: str = ""
    thinking: str = ""
    calls: Sequence[tuple[str, JSONObject | str]] = ()
    error: ModelError | None = None
    hang: bool = False
    finish: FinishReason | None = None
    chunk: int = 7


@dataclass(slots=True)
class ScriptedModel:
    """Gives its answers in order; a request after the last one is an error of the test.

    Attributes:
        requests: What it was asked, in order.
    """

    answers: list[Say]
    profile: ModelProfile
    requests: list[ModelRequest] = field(default_factory=list[ModelRequest])

    def __init__(self, *answers: Say, profile: ModelProfile | None = None) -> None:
        self.answers = list(answers)
        self.profile = profile or ModelProfile("test:scripted")
        self.requests = []

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the next answer piece by piece.

        Raises:
            ModelError: The script says so.
            AssertionError: The script is over.
        """
        self.requests.append(request)
        if not self.answers:
            raise AssertionError("the scripted model has no answer left")
        say = self.answers.pop(0)
        for piece in _pieces(say):
            await asyncio.sleep(0)
            yield piece
        if say.hang:
            await asyncio.Event().wait()
        if say.error is not None:
            raise say.error
        yield UsageReport(10, 5)
        yield Finished(say.finish or ("tool_calls" if say.calls else "stop"))


def _pieces(say: Say) -> list[ModelEvent]:
    pieces: list[ModelEvent] = [ThinkingPiece(text) for text in _cut(say.thinking, say.chunk)]
    pieces += [TextPiece(text) for text in _cut(say.text, say.chunk)]
    for index, (name, arguments) in enumerate(say.calls):
        raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
        pieces.append(CallPiece(index, f"call_{index}_{name}", name, ""))
        pieces += [CallPiece(index, "", "", text) for text in _cut(raw, say.chunk)]
    return pieces


def _cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
