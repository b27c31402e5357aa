"""A change of a file, coloured as people know it from git."""

from typing import Final

from rich.text import Text

from hackamore.cli.terminal.safe import visible
from hackamore.core.changes import FileChange

_STYLES: Final = (
    ("+++", "bold"),
    ("---", "bold"),
    ("@@", "cyan"),
    ("+", "green"),
    ("-", "red"),
)
_LONGEST: Final = 200


def diff_text(change: FileChange, *, longest: int | None = _LONGEST) -> Text:
    """Return the unified diff with colours, cut after `longest` lines (None: never)."""
    lines = change.diff().split("\n")[:-1]
    text = Text()
    for line in lines[:longest]:
        text.append(f"{visible(line)}\n", style=_style(line))
    if longest is not None and len(lines) > longest:
        text.append(f"… {len(lines) - longest} more lines\n", style="dim")
    return text


def _style(line: str) -> str:
    return next((style for start, style in _STYLES if line.startswith(start)), "")
