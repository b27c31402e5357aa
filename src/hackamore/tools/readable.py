"""Text from outside as a person would see it, and names that stay on their line."""

import re
import unicodedata
from typing import Final

_ESCAPE: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])"
)
_BREAKING: Final = ("Cc", "Cs", "Zl", "Zp")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


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
