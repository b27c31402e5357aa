"""What both forms of a patch share: their lines, and what a line's first character says."""

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal[" ", "-", "+"]

_FENCE: Final = re.compile(r"```\w*")


def patch_lines(patch: str) -> Sequence[str]:
    """Return a patch's lines without their ends, and without a code fence around it all."""
    lines = patch.replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) > 1 and _FENCE.fullmatch(lines[0].strip()) and lines[-1].strip() == "```":
        return lines[1:-1]
    return lines


def split_body_line(line: str, wrong: Callable[[str], Exception]) -> tuple[Kind, str]:
    """Return a body line's kind and text; an empty line is one that stays.

    Raises:
        Exception: What `wrong` makes of the reason, when the line begins with none of the marks.
    """
    if not line:
        return " ", ""
    mark, text = line[0], line[1:]
    if mark == "+":
        return "+", text
    if mark == "-":
        return "-", text
    if mark == " ":
        return " ", text
    raise wrong(f"a line begins with none of ' ', '-', '+': {line!r}")
