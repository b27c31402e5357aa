"""Where a value between tags ends: the one hard question of calls that are written as tags.

A value is raw text that may hold the tags of its own call, because files document protocols.
So tags of the same parameter and of the same tool nest, a closing tag counts only before another
parameter or before the tool's closing tag, and where the nesting never balances the last closing
tag that could be meant is taken. All places are offsets into the raw text of the call.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from hackamore.formats.tag_grammar import CDATA_OPEN, TagSpelling, ToolGrammar
from hackamore.formats.tags import Tags

CDATA_CLOSE: Final = "]]>"
_SHIELD: Final = Tags((CDATA_CLOSE,))
_SPACE: Final = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class ValueEnd:
    """Where a value ends.

    Attributes:
        end: The value is the raw text up to here.
        resume: Reading goes on here.
        strays: What stood between the value and the tool's closing tag and is no parameter.
    """

    end: int
    resume: int
    strays: tuple[str, ...] = ()


@dataclass(slots=True)
class _Closing:
    """A closing tag of the parameter whose meaning the next tag decides."""

    start: int
    after: int
    balanced: bool


@dataclass(slots=True)
class ValueScan:
    """Reads the tokens of one value until it ends.

    Attributes:
        grammar: The tool's tags.
        opening: The opening tag of the parameter.
        given: The parameters that the call already has, this one included.
    """

    grammar: ToolGrammar
    opening: str
    given: frozenset[str]
    _shielded: bool = False
    _may_shield: bool = True
    _own: int = 0
    _tools: int = 0
    _own_outside: int = 0
    _closing: _Closing | None = None
    _tool_opened: bool = False
    _last: ValueEnd | None = None
    _fresh: ValueEnd | None = None
    _followed: ValueEnd | None = None
    _unclosed: ValueEnd | None = None
    _loose: _Closing | None = None
    _since_loose: list[str] = field(default_factory=list[str])

    @property
    def tags(self) -> Tags:
        """The tags that matter now; inside a CDATA section only its end does."""
        return _SHIELD if self._shielded else self.grammar.tags

    @property
    def undecided(self) -> bool:
        """Whether what came last may yet turn out to be the value's end, or its wrapping."""
        return self._closing is not None or self._tool_opened or self._may_shield

    @property
    def is_section(self) -> bool:
        """Whether the text here is inside a CDATA section that began with the value."""
        return self._shielded

    def text(self, text: str) -> None:
        """Take text between two tags."""
        if self._shielded:
            return
        if not text.isspace():
            self._may_shield = False
            self._fresh = None
            if self._closing is not None or self._tool_opened:
                self._settle("")
        if self._loose is not None:
            self._since_loose.append(text)

    def tag(self, tag: str, at: int) -> ValueEnd | None:
        """Take the tag that stands at offset `at`; return the end when it is certain."""
        if tag == CDATA_CLOSE:
            self._shielded, self._may_shield = False, True
            return None
        self._shielded = self._may_shield and tag == CDATA_OPEN
        self._may_shield = False
        end = self._settle(tag)
        if self._loose is not None:
            self._since_loose.append(tag)
        if end is None:
            self._follow(tag)
            end = self._count(tag, at)
        return end

    def finish(self, *, may_guess: bool) -> tuple[ValueEnd | None, bool]:
        """The text is over: return the likeliest end, and whether the call is whole with it.

        `may_guess` allows readings in which the nesting never balanced or the closing tag of
        the parameter is missing; but not where the value may have ended earlier.
        """
        if self._closing is not None and self._closing.balanced and self._tools == 0:
            return ValueEnd(self._closing.start, self._closing.after), False
        if self._loose is not None:
            end = ValueEnd(self._loose.start, self._loose.after)
            return (None if self._is_verbatim() else end), False
        guesses = [end for end in (self._unclosed, self._followed or self._fresh) if end]
        if may_guess and guesses:
            return min(guesses, key=lambda end: end.end), True
        return None, False

    def _settle(self, tag: str) -> ValueEnd | None:
        """Decide, by what follows, what the tag before was; "" stands for other text."""
        opened, self._tool_opened = self._tool_opened, False
        if opened and (tag == self.grammar.closing or tag in self.grammar.closings):
            self._enter_tool()
        closing, self._closing = self._closing, None
        if closing is None:
            return None
        if not self._ends_value(tag):
            self._loosen(closing)
            return None
        end = ValueEnd(closing.start, closing.after)
        if closing.balanced and self._tools == 0:
            return self._before_unknown(end)
        if self._tools == 0:
            self._last = end
        elif tag == self.grammar.closing:
            self._fresh = end
        return None

    def _before_unknown(self, end: ValueEnd) -> ValueEnd:
        """Return an earlier end when from there on come only parameters that do not exist."""
        if self._loose is None:
            return end
        names = _elements("".join(self._since_loose), self.grammar.spelling)
        return ValueEnd(self._loose.start, end.resume, names) if names else end

    def _enter_tool(self) -> None:
        if self._tools == 0:
            self._own_outside, self._own = self._own, 0
        self._tools += 1

    def _ends_value(self, tag: str) -> bool:
        if tag == self.grammar.closing:
            return True
        name = self.grammar.openings.get(tag)
        return name is not None and name not in self.given

    def _loosen(self, closing: _Closing) -> None:
        if closing.balanced and self._tools == 0:
            self._loose = closing
            self._since_loose = []

    def _follow(self, tag: str) -> None:
        """Note a nested end that a new call follows: the tag that opened it was a mention."""
        if self._fresh is None or tag == self.grammar.closing:
            return
        if tag in self.grammar.like_opening and self._followed is None:
            self._followed = self._fresh
        self._fresh = None

    def _count(self, tag: str, at: int) -> ValueEnd | None:
        if tag in self.grammar.like_openings[self.opening]:
            self._own += 1
        elif tag == self.grammar.closings[self.opening]:
            self._closing = _Closing(at, at + len(tag), balanced=self._own == 0)
            self._own = max(0, self._own - 1)
        elif tag in self.grammar.like_opening:
            self._tool_opened = True
        elif tag == self.grammar.closing:
            return self._tool_closed(at)
        return None

    def _tool_closed(self, at: int) -> ValueEnd | None:
        if self._tools > 0:
            self._tools -= 1
            if self._tools == 0:
                self._own = self._own_outside
            return None
        if self._last is not None:
            return self._last
        strays = self._strays(self.grammar.closing)
        if strays and self._loose is not None:
            return ValueEnd(self._loose.start, at, strays)
        self._unclosed = self._unclosed or ValueEnd(at, at)
        return None

    def _strays(self, closing: str) -> tuple[str, ...]:
        """What stands between a loose closing tag and `closing`, if it is no part of the value."""
        if self._loose is None:
            return ()
        between = "".join(self._since_loose).removesuffix(closing)
        names = _elements(between, self.grammar.spelling)
        if names or not self._is_verbatim():
            return names or (between.strip(),)
        self._loose = None
        return ()

    def _is_verbatim(self) -> bool:
        return self.grammar.is_verbatim(self.grammar.openings[self.opening])


def _elements(text: str, spelling: TagSpelling) -> tuple[str, ...]:
    """Return the names of the elements that `text` consists of; () when it holds more."""
    names: list[str] = []
    at, length = 0, len(text.rstrip())
    while at < length:
        start = _SPACE.match(text, at)
        found = spelling.any_parameter.match(text, start.end() if start else at)
        closing = "" if found is None else spelling.value_end(found[1])
        end = -1 if found is None else text.find(closing, found.end())
        if found is None or end < 0:
            return ()
        names.append(found[1])
        at = end + len(closing)
    return tuple(names)


def clean(raw: str, *, verbatim: bool) -> str:
    """Return the value that `raw`, the text between its tags, stands for."""
    value = without_outer_breaks(raw)
    inner = _cdata(value.strip())
    if inner is not None:
        return without_outer_breaks(inner)
    return value if verbatim else value.strip()


def is_repeated(raw: str, opening: str, closing: str) -> bool:
    """Whether `raw` holds the end of a value and the beginning of another of the same name."""
    if raw.lstrip().startswith(CDATA_OPEN):
        return False
    return re.search(rf"{re.escape(closing)}\s*{re.escape(opening)}", raw) is not None


def without_outer_breaks(text: str) -> str:
    """Remove one line break at the beginning and one at the end."""
    text = text.removeprefix("\r\n") if text.startswith("\r\n") else text.removeprefix("\n")
    return text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")


CDATA_JOINT: Final = "]]]]><![CDATA[>"
"""How a section holds its own closing mark: it ends in the middle of it and begins anew."""


def _cdata(value: str) -> str | None:
    """Return what is inside when `value` is wholly one CDATA section."""
    whole = value.startswith(CDATA_OPEN) and value.endswith(CDATA_CLOSE)
    if not whole or len(value) < len(CDATA_OPEN) + len(CDATA_CLOSE):
        return None
    inner = value[len(CDATA_OPEN) : -len(CDATA_CLOSE)]
    plain = inner.replace(CDATA_JOINT, " ")
    closes, opens = plain.find(CDATA_CLOSE), plain.find(CDATA_OPEN)
    if -1 < closes < opens:
        return None
    return inner.replace(CDATA_JOINT, CDATA_CLOSE)


def cdata(value: str) -> str:
    """Return `value` as one CDATA section; `clean` gives back exactly `value`."""
    return f"{CDATA_OPEN}{with_outer_breaks(value.replace(CDATA_CLOSE, CDATA_JOINT))}{CDATA_CLOSE}"


def with_outer_breaks(text: str) -> str:
    """Put one line break before and one after; `without_outer_breaks` takes them away."""
    return f"\n{text}\r\n" if text.endswith("\r") else f"\n{text}\n"
