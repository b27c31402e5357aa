"""Hackamore: a coding agent that stays in the editor's hands.

Importing it loads nothing heavy; the public names load what they need on first use.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hackamore.core.errors import EditError
    from hackamore.edits.search_replace import apply as apply_search_replace

__all__ = ["EditError", "apply_search_replace"]


def __getattr__(name: str) -> object:
    if name == "EditError":
        from hackamore.core.errors import EditError

        return EditError
    if name == "apply_search_replace":
        from hackamore.edits.search_replace import apply

        return apply
    raise AttributeError(f"module 'hackamore' has no attribute {name!r}")
