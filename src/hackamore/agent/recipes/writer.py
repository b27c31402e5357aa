"""Candidates for a new file: the greedy answer first, then branches where it was least sure.

No chance is in it: the same prompt gives the same candidates in the same order.
"""

import contextlib
import io
import tokenize
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Final

from hackamore.core.generator import Generated, Piece, TextGenerator, Turn

_STOP: Final = ("\n```",)
_SPARE: Final = 200

OnPiece = Callable[[str], None]
OnUsage = Callable[[Generated], None]


class Enough(Exception):
    """Raised by the one who is told of pieces: what is written suffices."""


class Writer:
    """Writes one file again and again, each time differently.

    Attributes:
        max_tokens: Of one answer.
    """

    def __init__(
        self, generator: TextGenerator, on_piece: OnPiece, on_usage: OnUsage, max_tokens: int
    ) -> None:
        self._generator = generator
        self._on_piece = on_piece
        self._on_usage = on_usage
        self.max_tokens = max_tokens

    async def candidates(
        self, turns: Sequence[Turn], prefix: str, *, is_python: bool
    ) -> AsyncGenerator[str, None]:
        """Yield the texts, the likeliest first."""
        first = self._generator.generate(
            turns, prefix=prefix, stop=_STOP, max_tokens=self.max_tokens
        )
        pieces = await self._collect(first)
        yield _text(pieces)
        for place in branch_points(pieces, is_python=is_python):
            left = self.max_tokens - place
            branch = self._generator.branch(place, stop=_STOP, max_tokens=left)
            kept = [piece for piece in pieces if piece.position < place]
            yield _text(kept) + _text(await self._collect(branch))

    async def _collect(self, answer: AsyncGenerator[Piece | Generated, None]) -> list[Piece]:
        pieces: list[Piece] = []
        async with contextlib.aclosing(answer) as parts:
            with contextlib.suppress(Enough):
                async for part in parts:
                    if isinstance(part, Generated):
                        self._on_usage(part)
                    else:
                        pieces.append(part)
                        self._on_piece(part.text)
        return pieces


def room_for(code_tokens: int) -> int:
    """Return how many tokens a rewritten file of `code_tokens` may have."""
    return code_tokens + code_tokens // 4 + _SPARE


def branch_points(pieces: Sequence[Piece], *, is_python: bool) -> list[int]:
    """Return the positions of the pieces that hold code, the least sure first."""
    prose = _prose(_text(pieces)) if is_python else ()
    at, points = 0, list[tuple[float, int]]()
    for piece in pieces:
        middle = at + len(piece.text) - len(piece.text.lstrip())
        at += len(piece.text)
        if piece.text.strip() and not any(start <= middle < end for start, end in prose):
            points.append((piece.margin, piece.position))
    return [position for _margin, position in sorted(points)]


def _prose(code: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of comments and of strings that stand as statements (docstrings)."""
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    spans: list[tuple[int, int]] = []
    fresh = True
    # Half a file is no error here: what was read until then counts.
    with contextlib.suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT or (fresh and token.type == tokenize.STRING):
                (row, column), (last_row, last_column) = token.start, token.end
                spans.append((starts[row - 1] + column, starts[last_row - 1] + last_column))
            if token.type not in (tokenize.NL, tokenize.COMMENT):
                fresh = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return tuple(spans)


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)
