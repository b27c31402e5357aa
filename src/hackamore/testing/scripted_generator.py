"""A local model that says what a test wants: answers and branches, token by token."""

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field

from hackamore.core.generator import CallGrammar, Generated, Piece, Turn

_TOKEN = re.compile(r"\s*\w+|\s*[^\w\s]|\s+")
_SURE = 9.0


@dataclass(slots=True)
class ScriptedGenerator:
    """Gives the next of `answers` to each `generate`, the next of `branches` to each `branch`.

    A branch is given whole, as the text that the file would have; its pieces are those from the
    token where it branches. Stop strings are not looked for: write what comes before them.

    Attributes:
        answers: Whole answers, without the prefix.
        branches: Whole answers of branches.
        unsure: Margins by token (without surrounding spaces); other tokens are sure.
        context: Tokens of prompt and answer together.
        prompts: What was asked, in order.
        grammars: The form that was asked for, by answer; the script is not held to it.
        branched_at: Where was branched, in order.
        closed: Answers that were left before their end.
    """

    answers: Sequence[str] = ()
    branches: Sequence[str] = ()
    unsure: Mapping[str, float] = field(default_factory=dict[str, float])
    context: int = 4096
    prompts: list[tuple[Turn, ...]] = field(default_factory=list[tuple[Turn, ...]])
    grammars: list[CallGrammar | None] = field(default_factory=list[CallGrammar | None])
    branched_at: list[int] = field(default_factory=list[int])
    closed: int = 0

    async def count(self, turns: Sequence[Turn]) -> int:
        """Return the number of tokens, as this fake cuts them."""
        return sum(len(_tokens(turn.text)) for turn in turns)

    def generate(
        self,
        turns: Sequence[Turn],
        *,
        prefix: str = "",
        stop: Sequence[str] = (),
        max_tokens: int = 1024,
        grammar: CallGrammar | None = None,
    ) -> AsyncGenerator[Piece | Generated, None]:
        """Return the next answer.

        Raises:
            IndexError: The script is over.
        """
        self.prompts.append(tuple(turns))
        self.grammars.append(grammar)
        answer = self.answers[len(self.prompts) - 1]
        return self._write(answer, 0, max_tokens)

    def branch(
        self, at: int, *, stop: Sequence[str] = (), max_tokens: int = 1024
    ) -> AsyncGenerator[Piece | Generated, None]:
        """Return the next branch from its token `at` on; when the script is over, nothing new."""
        self.branched_at.append(at)
        number = len(self.branched_at) - 1
        scripted = number < len(self.branches)
        answer = self.branches[number] if scripted else self.answers[len(self.prompts) - 1]
        return self._write(answer, at, max_tokens)

    async def _write(
        self, answer: str, at: int, max_tokens: int
    ) -> AsyncGenerator[Piece | Generated, None]:
        tokens = _tokens(answer)
        written, over = tokens[at : at + max_tokens], False
        try:
            for position, token in enumerate(written, at):
                yield Piece(token, self.unsure.get(token.strip(), _SURE), position)
            reason = "stop" if at + max_tokens >= len(tokens) else "length"
            over = True
            yield Generated(reason, 10, 0, len(written))
        finally:
            self.closed += not over


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)
