"""Thinking: the history goes to the model, and a readable answer comes back, or an error."""

from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from hackamore.agent.limits import Limits
from hackamore.agent.prompt import Prompt
from hackamore.agent.stream import stream
from hackamore.agent.turn import Turn, read_turn
from hackamore.core.clock import Clock
from hackamore.core.errors import ModelError, ToolsUnsupported
from hackamore.core.events import Emit, Warned
from hackamore.core.format import Format
from hackamore.core.messages import Message
from hackamore.core.model import FinishReason, Model, ModelRequest
from hackamore.core.tools import ToolSpec

_EMPTY_TRIES: Final = 3
_CUT: Final[Mapping[FinishReason, str]] = {
    "length": "The answer was cut off: it reached the model's limit of length.",
    "filter": "The answer was cut off by the provider's content filter.",
}


@dataclass(slots=True)
class Mind:
    """A model with the way it is told of tools and asks for them.

    Attributes:
        model: The chat model.
        format: How it asks for tools; replaced when it turns out to need another.
        formats: What `format` may be replaced by, by name.
        tools: What it is offered.
        prompt: The system prompt's parts.
        limits: How patient to be.
        clock: For waiting.
        emit: Whom to tell.
    """

    model: Model
    format: Format
    formats: Mapping[str, Format]
    tools: Sequence[ToolSpec]
    prompt: Prompt
    limits: Limits
    clock: Clock
    emit: Emit

    async def think(self, history: Sequence[Message]) -> Turn:
        """Return the model's next answer.

        Raises:
            ModelError: The provider refused or failed, or the answers stayed empty.
        """
        for attempt in range(_EMPTY_TRIES):
            if attempt:
                self.emit(Warned("The model answered nothing. Asking again."))
                await self.clock.sleep(attempt)
            turn = await self._answer(history)
            if not turn.empty:
                self._follow(turn)
                return turn
        raise ModelError(
            f"The model answered nothing, {_EMPTY_TRIES} times in a row.",
            hint="Try again, or choose another model with --model.",
        )

    async def _answer(self, history: Sequence[Message]) -> Turn:
        try:
            return await self._read(history)
        except ToolsUnsupported:
            if not self.format.native or "xml" not in self.formats:
                raise
            self.emit(Warned("This model takes no native tools. Asking in the XML format."))
            self.format = self.formats["xml"]
            return await self._read(history)

    async def _read(self, history: Sequence[Message]) -> Turn:
        offered = [tool for tool in self.tools if self._offers(tool)]
        request = ModelRequest(
            messages=(
                self.prompt.message(self.format.instructions(offered)),
                *self.format.encode(history),
            ),
            tools=tuple(offered) if self.format.native else (),
            stop=self.format.stop,
        )
        pieces = stream(self.model, request, self.limits, self.clock, self.emit)
        async with aclosing(pieces):
            turn = await read_turn(pieces, self.format.parser(self.tools), self.emit)
        if turn.finish in _CUT:
            self.emit(Warned(_CUT[turn.finish]))
        return turn

    def _offers(self, tool: ToolSpec) -> bool:
        return tool.formats is None or self.format.name in tool.formats

    def _follow(self, turn: Turn) -> None:
        """Go on in the format that the model chose to write its calls in."""
        chosen = self.formats.get(turn.form or "")
        if chosen is not None and not (chosen.native and self.format.native):
            self.format = chosen
