"""The plan of a recipe, shown as it goes."""

from collections.abc import Callable, Sequence
from typing import Literal

from hackamore.core.events import Event, PlanItem, PlanUpdated


class Plan:
    """A row of steps, of which one is under way."""

    def __init__(self, emit: Callable[[Event], None], steps: Sequence[str]) -> None:
        self._emit = emit
        self._steps = steps

    def reach(self, step: int) -> None:
        """Show that `step` is under way and those before it are done."""
        items = (PlanItem(text, _status(at, step)) for at, text in enumerate(self._steps))
        self._emit(PlanUpdated(tuple(items)))

    def finish(self) -> None:
        """Show that all is done."""
        self.reach(len(self._steps))


def _status(at: int, step: int) -> Literal["pending", "in_progress", "completed"]:
    if at == step:
        return "in_progress"
    return "completed" if at < step else "pending"
