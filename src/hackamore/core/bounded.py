"""Text for a model, in a size that a model can take: head and tail, and a note of what is gone."""

from dataclasses import dataclass
from typing import Final

MAX_CHARACTERS: Final = 48_000
"""What a model sees of one output."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """Text that fits, and whether it was cut."""

    text: str
    truncated: bool


def bounded(text: str, how_to_see_more: str, *, limit: int = MAX_CHARACTERS) -> Bounded:
    """Return `text`, or its head and tail with a note between, in at most `limit` characters."""
    if len(text) <= limit:
        return Bounded(text, truncated=False)
    note = f"\n[… {{}} of {len(text):,} characters left out. {how_to_see_more} …]\n"
    room = limit - len(note) - len(f"{len(text):,}")
    head, tail = text[: room // 2], text[-(room - room // 2) :]
    cut = len(text) - len(head) - len(tail)
    return Bounded(head + note.format(f"{cut:,}") + tail, truncated=True)
