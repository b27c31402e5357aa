"""The loop: think, act, observe, until the model asks for nothing more. Read this first."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hackamore.agent.act import Actor
from hackamore.agent.history import History
from hackamore.agent.limits import MAX_MALFORMED, Limits, Repeats
from hackamore.agent.outfit import Outfitter
from hackamore.agent.think import Mind
from hackamore.agent.together import act_all
from hackamore.agent.turn import Turn, foreign_call
from hackamore.core.codes import Code
from hackamore.core.events import Emit, RunResult, StepEnded, StepStarted
from hackamore.core.messages import Message, ToolResult, user
from hackamore.core.tools import ToolOutput

_REMINDER = (
    "Your last message seems to ask for a tool in a form that cannot be read, so nothing was run. "
    "Use the form described in your instructions, or answer without a call."
)


@dataclass(slots=True)
class Loop:
    """One agent at work. The history outlives it and belongs to the session."""

    mind: Mind
    actor: Actor
    history: History
    limits: Limits
    emit: Emit
    outfitter: Outfitter | None = None
    _repeats: Repeats = field(default_factory=Repeats)
    _malformed: int = 0
    _reminded: bool = False

    async def run(self, request: Message) -> RunResult:
        """Work on `request` until it is answered or a limit ends it.

        Raises:
            ModelError: The model's provider failed; the history is kept.
        """
        self.history.add(request)
        for step in range(1, self.limits.max_steps + 1):
            if end := await self._step(step):
                return end
        return _stopped("max_steps", f"The task was not done after {self.limits.max_steps} steps.")

    async def _step(self, step: int) -> RunResult | None:
        """Think, act and observe once; return the run's result when this was the last step."""
        self.emit(StepStarted(step))
        calls = 0
        try:
            await self._equip()
            turn = await self.mind.think(self.history.messages)
            calls = len(turn.calls)
            self.history.add(turn.message)
            if stuck := self._stuck(turn):
                return stuck
            outputs = await act_all(self.actor, turn.calls)
            self._observe(turn, outputs)
            return self._end(turn, outputs)
        finally:
            self.emit(StepEnded(step, calls))

    async def _equip(self) -> None:
        """Take up what there is to work with now."""
        if self.outfitter is not None:
            outfit = await self.outfitter()
            self.mind.tools = [tool.spec for tool in outfit.offered.values()]
            self.mind.prompt = outfit.prompt
            self.actor.tools = outfit.callable

    def _observe(self, turn: Turn, outputs: Sequence[ToolOutput]) -> None:
        """Append what came of the calls, and what was wrong with those that could not run."""
        ran = [
            ToolResult(call.id, call.name, output.text, output.is_error)
            for call, output in zip(turn.calls, outputs, strict=False)
        ]
        self.history.add_results((*ran, *turn.problems))
        self.history.close_open_calls("Not run: the answer had been given before.")

    def _end(self, turn: Turn, outputs: Sequence[ToolOutput]) -> RunResult | None:
        """Return the run's result when this turn was the last, else None."""
        for output in outputs:
            if output.answer is not None:
                return RunResult("success", output.answer, "done")
        if turn.finish in ("length", "filter") and not turn.calls and not turn.problems:
            return _stopped("cut_off", "The answer was cut off before its end.")
        reminder = not self._reminded and not turn.calls and self._announces(turn)
        self._malformed = self._malformed + 1 if turn.problems or reminder else 0
        if self._malformed >= MAX_MALFORMED:
            return _stopped(
                "malformed_calls",
                f"The model asked for tools in an unreadable form {MAX_MALFORMED} times in a row.",
                Code.MODEL_ERROR,
            )
        if reminder:
            self._reminded = True
            self.history.add(user(_REMINDER))
        elif not turn.calls and not turn.problems:
            return RunResult("success", turn.text, "done")
        return None

    def _announces(self, turn: Turn) -> bool:
        return foreign_call(turn.text, [spec.name for spec in self.mind.tools])

    def _stuck(self, turn: Turn) -> RunResult | None:
        """Return the run's result when the model goes in circles, else None."""
        for call in turn.calls:
            if self._repeats.is_stuck(call):
                self.history.add_results(turn.problems)
                self.history.close_open_calls("Not run: the same call came again and again.")
                return _stopped(
                    "repeated_call",
                    f"The model asked for the same {call.name} call three times in a row.",
                )
        return None


def _stopped(reason: str, words: str, code: Code = Code.LIMIT_EXCEEDED) -> RunResult:
    return RunResult("error", "", reason, error=words, code=code)
