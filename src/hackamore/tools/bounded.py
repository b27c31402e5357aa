"""Text for a model: bounded, as a person would see it, and names that stay on their line."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

MAX_CHARACTERS: Final = 48_000
"""What a model sees of one output."""

_ESCAPE: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])"
)
_BREAKING: Final = ("Cc", "Cs", "Zl", "Zp")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


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


def readable(output: str) -> str:
    """Return a terminal's output as a person sees it: no codes, redrawn lines once."""
    text = _ESCAPE.sub("", output).replace("\r\n", "\n")
    lines = [_last_drawn(line) if "\r" in line else line for line in text.split("\n")]
    return _CONTROL.sub("", "\n".join(lines))


def on_one_line(path: str) -> str:
    r"""Return a path with line breaks and other control characters escaped, as ``\n``."""
    if path.isprintable():
        return path
    return "".join(_escaped(char) for char in path)


def _escaped(char: str) -> str:
    if unicodedata.category(char) not in _BREAKING:
        return char
    return char.encode("unicode_escape").decode("ascii")


def _last_drawn(line: str) -> str:
    """Return what stands on a line after all its redraws."""
    shown = ""
    for drawn in line.split("\r"):
        shown = drawn + shown[len(drawn) :] if drawn else shown
    return shown
