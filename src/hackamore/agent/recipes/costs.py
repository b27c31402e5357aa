"""What a recipe may use and has used: tokens, candidates, and time."""

from collections.abc import Callable
from typing import Final

from hackamore.core.clock import Clock
from hackamore.core.events import Event, Usage
from hackamore.core.generator import Generated

MAX_CANDIDATES: Final = 10
MAX_SECONDS: Final = 80.0


class TimeUp(Exception):
    """The time for trying is over."""


class Costs:
    """Counts tokens and candidates; the clock runs from `start`.

    Attributes:
        input_tokens: Read by the model, all answers together.
        output_tokens: Written by the model.
        tried: Candidates that were tested.
    """

    def __init__(self, clock: Clock, emit: Callable[[Event], None]) -> None:
        self._clock = clock
        self._emit = emit
        self._deadline: float | None = None
        self.input_tokens = 0
        self.output_tokens = 0
        self.tried = 0

    def start(self) -> None:
        """Let the time for trying begin, unless it has."""
        if self._deadline is None:
            self._deadline = self._clock.monotonic() + MAX_SECONDS

    def check_time(self) -> None:
        """Go on only while there is time.

        Raises:
            TimeUp: There is none left.
        """
        if self._deadline is not None and self._clock.monotonic() >= self._deadline:
            raise TimeUp

    def add(self, answer: Generated) -> None:
        """Count one answer, and tell the watchers."""
        self.input_tokens += answer.prompt_tokens
        self.output_tokens += answer.output_tokens
        usage = Usage(answer.prompt_tokens, answer.output_tokens, answer.cached_tokens)
        self._emit(usage)
