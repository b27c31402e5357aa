"""Changes of files, as watchers see them."""

import difflib
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["created", "modified", "deleted"]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file as it was and as it is.

    Attributes:
        path: Relative to the workspace, with ``/``.
        before: The text before, or None when the file did not exist.
        after: The text after, or None when the file is gone.
    """

    path: str
    before: str | None
    after: str | None

    @property
    def kind(self) -> Kind:
        """Whether the file came, went or changed."""
        if self.before is None:
            return "created"
        return "deleted" if self.after is None else "modified"

    def diff(self, context: int = 3) -> str:
        """Return the change as a unified diff with `context` lines around each hunk."""
        old = "/dev/null" if self.before is None else f"a/{self.path}"
        new = "/dev/null" if self.after is None else f"b/{self.path}"
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), old, new, n=context)
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in lines
        )


def _lines(text: str | None) -> list[str]:
    """Split at LF only, as diff tools do, keeping the line ends."""
    if not text:
        return []
    pieces = text.split("\n")
    last = pieces.pop()
    return [f"{piece}\n" for piece in pieces] + ([last] if last else [])
