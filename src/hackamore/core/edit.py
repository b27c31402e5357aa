"""The ports to the edit languages, so that tools need not know them."""

from dataclasses import dataclass
from typing import Literal, Protocol


class ApplyEdit(Protocol):
    """Applies a SEARCH/REPLACE text to a file's text."""

    def __call__(self, text: str, diff: str) -> str:
        """Return `text` with all blocks of `diff` applied, its line ends kept.

        Raises:
            EditError: A block fits nowhere or in more than one place; says which and why.
        """
        ...


@dataclass(frozen=True, slots=True)
class Hunk:
    """A part of a patch, in the order of its lines.

    Attributes:
        lines: Each with its kind: `` `` stays, ``-`` goes, ``+`` comes.
        line: Where the old lines begin, counted from 1, as the patch says; None when it does not.
        header: A line that stands somewhere above the place; may be empty.
        at_end: The place is the end of the file.
        final_newline: Whether the new text ends with one; None leaves it as it is.
    """

    lines: tuple[tuple[Literal[" ", "-", "+"], str], ...]
    line: int | None = None
    header: str = ""
    at_end: bool = False
    final_newline: bool | None = None


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What a patch does to one file.

    Attributes:
        kind: Whether the file comes, changes or goes.
        path: The file, as the patch names it.
        moved_to: Its new path, or None.
        hunks: The changes of its text, from top to bottom.
    """

    kind: Literal["add", "update", "delete"]
    path: str
    moved_to: str | None = None
    hunks: tuple[Hunk, ...] = ()


class PatchLanguage(Protocol):
    """Reads patches and applies them to texts."""

    def read(self, patch: str) -> tuple[FilePatch, ...]:
        """Return what a patch does, file by file.

        Raises:
            EditError: It is no patch that can be read.
        """
        ...

    def apply(self, text: str, patch: FilePatch) -> str:
        """Return a file's text after its part of the patch.

        Raises:
            EditError: A hunk fits nowhere or in more than one place.
        """
        ...
