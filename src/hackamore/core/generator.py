"""The port to models that run on this machine: plain text generation, token by token."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from hackamore.core.json import JSONObject

TurnRole: TypeAlias = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the prompt. The text is data: it cannot close the turn."""

    role: TurnRole
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of the answer.

    Attributes:
        text: One or more whole characters; may be empty while a character is incomplete.
        margin: Logit of the chosen token minus that of the runner-up (≥ 0): how sure the model
            was.
        position: Index of the token in the answer, counted from 0.
    """

    text: str
    margin: float
    position: int


@dataclass(frozen=True, slots=True)
class Generated:
    """The end of an answer: why it ended, and what it cost in tokens."""

    reason: Literal["stop", "length"]
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class CallShape:
    """A tool that an answer may call: its name, and a JSON schema of its arguments."""

    name: str
    parameters: JSONObject


@dataclass(frozen=True, slots=True)
class CallGrammar:
    """What form an answer has: plain text that may end in one call, or nothing but a call.

    A call is ``<tool_call>``, a JSON object with ``name`` and ``arguments`` that fits the tool's
    schema, and ``</tool_call>``, each on a line of its own; the answer ends with it.

    Attributes:
        tools: What may be called; with none, the answer is plain text without any call.
        required: The answer must be a call.
    """

    tools: tuple[CallShape, ...] = ()
    required: bool = False


class TextGenerator(Protocol):
    """A local model. One answer at a time; closing the generator stops it within 200 ms."""

    @property
    def context(self) -> int:
        """Tokens that prompt and answer may have together."""
        ...

    async def count(self, turns: Sequence[Turn]) -> int:
        """Return the number of tokens of a prompt."""
        ...

    def generate(
        self,
        turns: Sequence[Turn],
        *,
        prefix: str = "",
        stop: Sequence[str] = (),
        max_tokens: int = 1024,
        grammar: CallGrammar | None = None,
    ) -> AsyncGenerator[Piece | Generated, None]:
        """Continue the answer that begins with `prefix`; greedy; `Generated` comes last.

        An answer by a `grammar` begins anew (without `prefix`) and cannot be branched from.
        When it ends for its length, a call in it is not whole.
        """
        ...

    def branch(
        self, at: int, *, stop: Sequence[str] = (), max_tokens: int = 1024
    ) -> AsyncGenerator[Piece | Generated, None]:
        """Give another answer to the last prompt: the same first `at` tokens, then the runner-up.

        The pieces start at token `at`. Branching counts from the last `generate`.
        """
        ...
