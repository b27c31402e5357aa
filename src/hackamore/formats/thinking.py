"""Thinking that stands in the text: a block between ``<think>`` and its closing tag.

Blocks nest. When the answer ends inside a block that was opened more often than closed, the
opening tag may have been a mention: what follows the last closing tag is then given back.
"""

from typing import Final

from hackamore.formats.tags import Tags

THINKING_OPENINGS: Final = frozenset({"<think>", "<thinking>"})
THINKING_CLOSINGS: Final = frozenset({"</think>", "</thinking>"})
THINKING_TAGS: Final = Tags((*THINKING_OPENINGS, *THINKING_CLOSINGS))


class ThinkingBlock:
    """One block that is being read."""

    def __init__(self) -> None:
        self._depth = 1
        self._doubtful: list[str] | None = None

    def text(self, text: str) -> str:
        """Take more thoughts; return what is certainly thinking."""
        if self._doubtful is None:
            return text
        self._doubtful.append(text)
        return ""

    def opening(self, tag: str) -> str:
        """Take an opening tag inside the block."""
        self._depth += 1
        return self.text(tag)

    def closing(self, tag: str) -> tuple[str, bool]:
        """Take a closing tag; return what is certainly thinking, and whether the block is over."""
        certain = "".join(self._doubtful or ())
        self._depth -= 1
        if self._depth == 0:
            return certain, True
        self._doubtful = []
        return certain + tag, False

    def rest(self) -> str:
        """Return, at the end of the answer, what may be no thinking after all."""
        return "".join(self._doubtful or ())
