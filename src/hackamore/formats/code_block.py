"""Reads a code block that is only shown: nothing in it means anything."""

from typing import Final

from hackamore.formats.lines import FENCES, Fence
from hackamore.formats.tags import TagReader, Tags

_LINE_END: Final = Tags(("\n",))
_MARKS: Final = {mark[0]: Tags((mark,)) for mark in FENCES}


class CodeBlock:
    """One block, from after the marks that open it to the line that closes it."""

    def __init__(self, mark: str) -> None:
        self._info = [mark]
        self._fence: Fence | None = None

    def read(self, reader: TagReader) -> tuple[str, bool] | None:
        """Return some of its text and whether it is over; None when more must come first."""
        fence = self._fence
        if fence is None:
            return self._first_line(reader)
        token = reader.next(_MARKS[fence.mark])
        if token is None:
            return None
        closed = fence.see(token.text)
        if closed < 0:
            return token.text, False
        reader.unread(token.text[closed:])
        return token.text[:closed], True

    def _first_line(self, reader: TagReader) -> tuple[str, bool] | None:
        """Read the language; a line with more marks is inline code, and the block no block."""
        token = reader.next(_LINE_END)
        if token is None:
            return None
        self._info.append(token.text)
        if not token.is_tag:
            return token.text, False
        info = "".join(self._info)
        mark = info[0]
        language = info.lstrip(mark)
        if mark == "`" and mark in language:
            return token.text, True
        self._fence = Fence(mark, len(info) - len(language))
        return token.text, False
