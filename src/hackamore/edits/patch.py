"""The patch language: unified diffs, and the form that begins with ``*** Begin Patch``."""

from hackamore.core.edit import FilePatch
from hackamore.edits import begin_patch, unified_diff
from hackamore.edits.hunks import apply_hunks


class Patches:
    """Both forms of a patch, told apart by how they begin."""

    def read(self, patch: str) -> tuple[FilePatch, ...]:
        """Return what a patch does, file by file.

        Raises:
            EditError: It is no patch that can be read.
        """
        if begin_patch.is_one(patch):
            return begin_patch.parse(patch)
        return unified_diff.parse(patch)

    def apply(self, text: str, patch: FilePatch) -> str:
        """Return a file's text after its part of the patch.

        Raises:
            EditError: A hunk fits nowhere or in more than one place; nothing was changed.
        """
        return apply_hunks(text, patch.hunks)
