"""A backend with an alphabet for a vocabulary, so that decoding can be tested without a model."""

from collections.abc import Callable, Sequence

import pytest

from hackamore.local.choice import Choice, Stopped

END = 0


class LetterModel:
    """Continues by a rule; token = code point. Fails when it is asked what it has not read."""

    def __init__(self, rule: Callable[[str], str], context: int = 400) -> None:
        self.rule = rule
        self.context = context
        self.memory = ""
        self.read = 0
        self.batches = 0
        self.starts: list[int] = []
        self.stop_after: int | None = None

    def tokenize(self, text: str) -> list[int]:
        return [ord(letter) for letter in text]

    def marker(self, name: str) -> int:
        return {"<|im_start|>": 1, "<|im_end|>": END}[name]

    def piece(self, token: int) -> bytes:
        return chr(token).encode()

    def is_end(self, token: int) -> bool:
        return token == END

    def evaluate(self, tokens: Sequence[int], position: int, wanted: int) -> list[Choice]:
        assert len(self.memory) == position
        assert len(tokens) <= 64
        if self.stop_after is not None and self.batches >= self.stop_after:
            raise Stopped
        self.batches += 1
        self.starts.append(position)
        self.read += len(tokens)
        choices: list[Choice] = []
        for token in tokens:
            self.memory += chr(token)
            best = ord((self.rule(self.memory) + chr(END))[0])
            choices.append(Choice(best, best + 1, float(len(self.memory))))
        return choices[len(tokens) - wanted :]

    def best(self, allows: Callable[[int], bool]) -> int | None:
        wanted = ord((self.rule(self.memory) + chr(END))[0])
        others = sorted(range(128), key=lambda token: abs(token - wanted))
        return next((token for token in others if allows(token)), None)

    def keep(self, length: int) -> None:
        self.memory = self.memory[:length]


@pytest.fixture
def letters() -> type[LetterModel]:
    return LetterModel
