"""Shows a call whose arguments are JSON while they are being written."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from hackamore.core.format import CallDraft
from hackamore.formats.json_draft import JsonDraft

_HEAD: Final = re.compile(
    r'[\[\s]*\{\s*"name"\s*:\s*"([\w.-]+)"(\s*,\s*"(?:arguments|parameters)"\s*:\s*(?=\{))?'
)
_LONGEST_HEAD: Final = 200
"""Characters within which the name and the arguments have to begin for drafts to be shown."""


class JsonCallDraft:
    """Reads the text of a call as it grows.

    Attributes:
        tool: The tool, as soon as it is known.
    """

    def __init__(self, call_id: str, tool: str = "") -> None:
        """Begin; when `tool` is given, the text is only the arguments."""
        self.tool = tool
        self._call_id = call_id
        self._arguments: JsonDraft | None = JsonDraft() if tool else None
        self._head = ""

    def first(self) -> Sequence[CallDraft]:
        """Return the draft that announces the call, where the tool is known."""
        return (CallDraft(self._call_id, self.tool),) if self.tool else ()

    def feed(self, text: str) -> Sequence[CallDraft]:
        """Take more; return what became known."""
        first: Sequence[CallDraft] = ()
        if self._arguments is None:
            text = self._after_head(text)
            if self._arguments is None:
                return ()
            first = self.first()
        grown = self._arguments.feed(text)
        return [*first, *(CallDraft(self._call_id, self.tool, key, more) for key, more in grown)]

    def values(self) -> Mapping[str, str]:
        """Return the texts of the arguments as far as they came."""
        return {} if self._arguments is None else self._arguments.values()

    def _after_head(self, text: str) -> str:
        """Look for the name; return what follows when the arguments begin."""
        if len(self._head) >= _LONGEST_HEAD:
            return ""
        self._head += text
        found = _HEAD.match(self._head)
        if found is None:
            return ""
        self.tool = found[1]
        if found[2] is None:
            return ""
        self._arguments = JsonDraft()
        return self._head[found.end() :]
