"""One incremental reader of tags, shared by every format that asks for tools in text.

A tag is a fixed string such as ``<read_file>``, ``</path>`` or a code fence. The reader cuts
the incoming text into tags and the text between them. It holds back the longest end that may
still become a tag and gives out everything else at once. Nothing that was given out is looked
at again, so the time is linear however the input is cut.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Token(NamedTuple):
    """A tag, or a piece of the text between two tags."""

    text: str
    is_tag: bool


class Tags:
    """A set of tags that a reader looks for at one time."""

    def __init__(self, tags: Iterable[str]) -> None:
        known = sorted(set(tags))
        self._prefixes = frozenset(tag[:end] for tag in known for end in range(1, len(tag)))
        self._longest = max(map(len, known))
        self._anywhere = re.compile("|".join(map(re.escape, known)))
        starts = "".join(sorted({re.escape(tag[0]) for tag in known}))
        self._start = re.compile(f"[{starts}]")

    def find(self, text: str, start: int) -> re.Match[str] | None:
        """Find the first tag in `text` at or after `start`."""
        return self._anywhere.search(text, start)

    def at(self, text: str, start: int) -> str | None:
        """Return the tag that stands exactly at `start`, if one does."""
        found = self._anywhere.match(text, start)
        return found.group() if found else None

    def is_quiet(self, text: str) -> bool:
        """Whether nothing in `text` could belong to a tag."""
        return self._start.search(text) is None

    def held_from(self, text: str, start: int) -> int:
        """Return where the end of `text` that may still become a tag begins."""
        at = max(start, len(text) - self._longest + 1)
        while (found := self._start.search(text, at)) is not None:
            if text[found.start() :] in self._prefixes:
                return found.start()
            at = found.end()
        return len(text)


class TagReader:
    """Cuts text that arrives in pieces into tokens."""

    def __init__(self) -> None:
        self._text = ""
        self._at = 0

    @property
    def is_empty(self) -> bool:
        """Whether everything that came was read."""
        return self._at == len(self._text)

    def push(self, text: str) -> None:
        """Add `text` at the end."""
        self._text = self._text[self._at :] + text
        self._at = 0

    def unread(self, text: str) -> None:
        """Put `text`, which was read last, back before everything that was not read yet."""
        start = self._at - len(text)
        if start >= 0 and self._text.startswith(text, start):
            self._at = start
        else:
            self._text, self._at = text + self._text[self._at :], 0

    def next(self, tags: Tags) -> Token | None:
        """Read the next token, or return None until more text comes."""
        text, at = self._text, self._at
        found = tags.find(text, at)
        if found is None:
            end = tags.held_from(text, at)
        elif found.start() == at:
            self._at = found.end()
            return Token(found.group(), is_tag=True)
        else:
            end = found.start()
        if end == at:
            return None
        self._at = end
        return Token(text[at:end], is_tag=False)

    def match(self, pattern: re.Pattern[str]) -> str:
        """Read what `pattern` matches here; may be empty."""
        text, at = self._text, self._at
        found = pattern.match(text, at)
        self._at = found.end() if found else at
        return text[at : self._at]

    def space(self) -> str:
        """Read the white space that stands here; may be empty."""
        return self.match(_SPACE)

    def until(self, end_of: Callable[[str, int], int]) -> str:
        """Read to where `end_of`, given a text and a place in it, says; all when it says -1."""
        text, at = self._text, self._at
        end = end_of(text, at)
        self._at = len(text) if end < 0 else end
        return text[at : self._at]

    def here(self, tags: Tags) -> str | None:
        """Return, unread, the tag here, "" when more text must come first, or None."""
        tag = tags.at(self._text, self._at)
        if tag is None and tags.held_from(self._text, self._at) == self._at:
            return ""
        return tag

    def rest(self) -> str:
        """Take out all that was held back."""
        text, self._text, self._at = self._text[self._at :], "", 0
        return text


_SPACE = re.compile(r"\s*")
