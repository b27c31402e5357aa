"""The port to the edit language, so that tools need not know it."""

from typing import Protocol


class ApplyEdit(Protocol):
    """Applies a SEARCH/REPLACE text to a file's text."""

    def __call__(self, text: str, diff: str) -> str:
        """Return `text` with all blocks of `diff` applied, its line ends kept.

        Raises:
            EditError: A block fits nowhere or in more than one place; says which and why.
        """
        ...
