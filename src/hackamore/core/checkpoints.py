"""The port to what keeps a workspace as it was before each changing step."""

from collections.abc import Sequence
from typing import Protocol


class Checkpoints(Protocol):
    """Keeps the workspace; blocks, so that it is called in a thread."""

    def before(self, call_id: str, title: str, paths: Sequence[str]) -> str | None:
        """Keep the workspace as it is before a call.

        Args:
            call_id: The call.
            title: One line for people.
            paths: What the call says it touches, relative to the workspace.

        Returns:
            The id of the checkpoint that holds it, or None when none is needed.

        Raises:
            OSError: It cannot be kept.
            HackamoreError: It cannot be kept; says why.
        """
        ...
