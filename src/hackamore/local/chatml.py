"""The chat markup of Qwen models, as tokens: markers are tokens, turns are only text."""

from collections.abc import Sequence

from hackamore.core.generator import Turn
from hackamore.local.choice import Backend


def encode(backend: Backend, turns: Sequence[Turn], prefix: str) -> list[int]:
    """Return the prompt's tokens up to and including the `prefix` of the answer.

    The text of a turn cannot close the turn: a marker written in it is plain text.
    """
    start, end = backend.marker("<|im_start|>"), backend.marker("<|im_end|>")
    newline = backend.tokenize("\n")
    tokens: list[int] = []
    for turn in turns:
        tokens += [start, *backend.tokenize(f"{turn.role}\n{turn.text}"), end, *newline]
    return [*tokens, start, *backend.tokenize(f"assistant\n{prefix}")]
