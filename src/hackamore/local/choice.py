"""What the runtime says of one token: the likeliest, the next likeliest, and how far apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Choice:
    """The greedy choice for one place.

    Attributes:
        token: The likeliest token.
        runner_up: The next likeliest.
        margin: Logit of `token` minus that of `runner_up`; 0 or more.
    """

    token: int
    runner_up: int
    margin: float


class Stopped(Exception):
    """The evaluation was stopped on request."""


class Backend(Protocol):
    """A model that is loaded, with a memory of the tokens that it has read (its KV cache)."""

    @property
    def context(self) -> int:
        """Tokens that the memory holds at most."""
        ...

    def tokenize(self, text: str) -> list[int]:
        """Return the tokens of plain text; markers in it are text too."""
        ...

    def marker(self, name: str) -> int:
        """Return the one token of a chat marker such as ``<|im_start|>``."""
        ...

    def piece(self, token: int) -> bytes:
        """Return the bytes of a token; perhaps not whole characters."""
        ...

    def is_end(self, token: int) -> bool:
        """Whether the token ends an answer."""
        ...

    def evaluate(self, tokens: Sequence[int], position: int, wanted: int) -> list[Choice]:
        """Read `tokens` at `position`; return what follows each of the last `wanted`.

        Raises:
            Stopped: On request; the memory then holds what it held before.
        """
        ...

    def best(self, allows: Callable[[int], bool]) -> int | None:
        """Return the likeliest allowed token after the last that was read; None without any."""
        ...

    def keep(self, length: int) -> None:
        """Forget all but the first `length` tokens."""
        ...
