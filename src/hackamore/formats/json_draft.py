"""Shows the texts of a JSON object while it is being written.

Only texts directly in the object are shown, and only for people: whether the JSON is right is
decided when it is whole.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

_ESCAPE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}"
    r"|\\u(?![dD][89abAB])[0-9a-fA-F]{4}"
    r"|\\[^u]"
)
_LONGEST_ESCAPE: Final = 12
_RUN: Final = re.compile(rf'(?:[^"\\]++|{_ESCAPE.pattern})++')


class JsonDraft:
    """Reads the text of one object as it grows."""

    def __init__(self) -> None:
        self._rest = ""
        self._depth = 0
        self._state: Literal["outside", "key", "value", "nested"] = "outside"
        self._expects_value = False
        self._key: list[str] = []
        self._values: dict[str, list[str]] = {}

    def feed(self, text: str) -> Sequence[tuple[str, str]]:
        """Take more; return what the texts grew by, as pairs of key and text."""
        text, self._rest = self._rest + text, ""
        grown: dict[str, list[str]] = {}
        at = 0
        while at < len(text):
            if self._state == "outside":
                step = self._outside(text[at], at)
            else:
                step = self._inside(text, at, grown)
            if step == at:
                self._rest = text[at:]
                break
            at = step
        return [(key, "".join(pieces)) for key, pieces in grown.items() if pieces]

    def values(self) -> Mapping[str, str]:
        """Return the texts as far as they came."""
        return {key: "".join(pieces) for key, pieces in self._values.items()}

    def _outside(self, character: str, at: int) -> int:
        if character == '"':
            self._begin_string()
        elif character in "{[":
            self._depth += 1
        elif character in "}]":
            self._depth -= 1
        elif character in ":,":
            self._expects_value = character == ":"
        return at + 1

    def _begin_string(self) -> None:
        if self._depth != 1:
            self._state = "nested"
        elif self._expects_value:
            self._state = "value"
            self._values["".join(self._key)] = []
        else:
            self._state = "key"
            self._key = []

    def _inside(self, text: str, at: int, grown: dict[str, list[str]]) -> int:
        if text[at] == '"':
            self._state = "outside"
            return at + 1
        found = _RUN.match(text, at)
        if found is None and len(text) - at < _LONGEST_ESCAPE:
            return at
        end = at + 1 if found is None else found.end()
        piece = _unescaped(text[at:end])
        if self._state == "key":
            self._key.append(piece)
        elif self._state == "value":
            key = "".join(self._key)
            self._values[key].append(piece)
            grown.setdefault(key, []).append(piece)
        return end


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    try:
        return _decoded(text)
    except ValueError:
        return _ESCAPE.sub(_unescaped_if_known, text)


def _unescaped_if_known(found: re.Match[str]) -> str:
    try:
        return _decoded(found.group())
    except ValueError:
        return found.group()


def _decoded(text: str) -> str:
    """Return what `text`, the inside of a JSON string, stands for; never half a character."""
    found = str(json.loads(f'"{text}"', strict=False))
    return found.encode("utf-8", "replace").decode("utf-8")
