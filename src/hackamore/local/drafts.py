"""Drafts from what was read: code that is written again mostly follows the old code.

The last three tokens are looked up in all that came before; what followed them there is the
draft. The model checks every draft, so a bad one costs time and never changes the answer.
"""

from collections.abc import Sequence
from typing import Final

_KEY: Final = 3
_LONGEST: Final = 6


class Drafts:
    """An index of the tokens so far, by their last three."""

    def __init__(self, tokens: Sequence[int]) -> None:
        self._tokens: list[int] = []
        self._index: dict[tuple[int, ...], int] = {}
        self._cursor = 0
        for token in tokens:
            self.add(token)

    def add(self, token: int) -> None:
        """Note the next token. It is indexed by the three before it."""
        if len(self._tokens) >= _KEY:
            self._index[tuple(self._tokens[-_KEY:])] = len(self._tokens)
        self._tokens.append(token)

    def propose(self, room: int) -> list[int]:
        """Return up to six tokens (and at most `room`) that may come next."""
        key = tuple(self._tokens[-_KEY:])
        start = self._follow(key)
        if start is None:
            return []
        self._cursor = start
        return self._tokens[start : start + min(_LONGEST, room)]

    def _follow(self, key: tuple[int, ...]) -> int | None:
        """Stay in the passage of the last draft where it still fits, else look the key up."""
        for start in range(self._cursor + 1, self._cursor + _LONGEST + 2):
            if start < len(self._tokens) and tuple(self._tokens[start - _KEY : start]) == key:
                return start
        return self._index.get(key)
