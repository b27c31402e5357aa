"""Limits of a run: how long it may go on, and when it goes in circles."""

import json
from dataclasses import dataclass
from typing import Final

from hackamore.core.messages import ToolCall

MAX_SAME_CALLS: Final = 3
MAX_MALFORMED: Final = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a run.

    Attributes:
        max_steps: Requests to the model.
        idle_timeout: Seconds that a model's stream may be silent.
        retries: Further tries after the provider was busy.
    """

    max_steps: int = 50
    idle_timeout: float = 120.0
    retries: int = 4


class Repeats:
    """Notices the same call with the same arguments, again and again."""

    def __init__(self) -> None:
        self._last = ""
        self._count = 0

    def is_stuck(self, call: ToolCall) -> bool:
        """Count `call`; return whether it is the third in a row that asks for the same."""
        key = call.name + json.dumps(call.arguments, sort_keys=True, ensure_ascii=False)
        self._count = self._count + 1 if key == self._last else 1
        self._last = key
        return self._count >= MAX_SAME_CALLS
