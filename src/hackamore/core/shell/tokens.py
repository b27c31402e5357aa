"""From characters to words and operators, as bash would cut them.

What is not fully understood is noted, and reading goes on: a rule that forbids a command should
see also what stands behind it.
"""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from hackamore.core.shell.line import Word


@dataclass(frozen=True, slots=True)
class Operator:
    """A sign between words: ``&&``, ``;``, ``>`` and the like."""

    text: str


Token: TypeAlias = Word | Operator

_OPERATOR: Final = re.compile(
    r"\d*(?:&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||<|>)|&&|\|\||\|&|;;|[\n;&|()]"
)
_ENDS_WORD: Final = frozenset(" \t\n;&|()<>")
_EXPANSION: Final = re.compile(r"\$[A-Za-z0-9_{(\[@*#?$!-]")
_QUOTE_EXPANSION: Final = re.compile(r"\$['\"]")


class Tokens:
    """Cuts one line.

    Args:
        line: The command line.
    """

    def __init__(self, line: str) -> None:
        self.unclear: str | None = None
        self._line = line
        self._at = 0

    def read(self) -> list[Token]:
        """Return all words and operators; `unclear` then says what was not understood."""
        tokens: list[Token] = []
        while self._at < len(self._line):
            if self._line[self._at] in " \t":
                self._at += 1
            elif found := _OPERATOR.match(self._line, self._at):
                self._at = found.end()
                tokens.append(Operator(found.group()))
            else:
                tokens.append(self._word())
        return tokens

    def _doubt(self, reason: str) -> None:
        self.unclear = self.unclear or reason

    def _word(self) -> Word:
        parts: list[str] = []
        known = plain = True
        braces = False
        start = self._at
        while self._at < len(self._line) and (c := self._line[self._at]) not in _ENDS_WORD:
            if c in "'\"\\":
                plain = False
                parts.append(self._quoted(c))
                continue
            known = known and c not in "*?["
            braces = braces or c in "{}"
            self._bare(c, at_start=self._at == start)
            parts.append(c)
            self._at += 1
        if braces and not (plain and "".join(parts) == "{}"):
            self._doubt("it has braces, which bash expands or which group commands")
        return Word("".join(parts), known, plain)

    def _bare(self, c: str, *, at_start: bool) -> None:
        """Note what an unquoted character does beyond standing for itself."""
        if c == "#" and at_start:
            self._doubt("it has a comment, which hides what stands behind it")
        elif c == "`":
            self._doubt("it runs a command inside another (`…`)")
        elif c == "~" and (at_start or self._line[self._at - 1] in "=:"):
            self._doubt("~ stands for a home folder")
        elif _QUOTE_EXPANSION.match(self._line, self._at):
            self._doubt("it has text that bash rewrites ($'…')")
        else:
            self._expansion()

    def _expansion(self) -> None:
        if self._line.startswith("$(", self._at):
            self._doubt("it runs a command inside another ($(…))")
        elif _EXPANSION.match(self._line, self._at):
            self._doubt("it has a variable whose value is not known beforehand")

    def _quoted(self, mark: str) -> str:
        if mark == "\\":
            return self._escaped()
        if mark == "'":
            return self._single()
        return self._double()

    def _escaped(self) -> str:
        following = self._line[self._at + 1 : self._at + 2]
        if following in ("", "\n"):
            self._doubt("a backslash ends a line of it")
        self._at += 2
        return following

    def _single(self) -> str:
        end = self._line.find("'", self._at + 1)
        if end < 0:
            self._doubt("a quotation mark is not closed")
            end = len(self._line)
        text = self._line[self._at + 1 : end]
        self._at = end + 1
        return text

    def _double(self) -> str:
        parts: list[str] = []
        self._at += 1
        while self._at < len(self._line) and (c := self._line[self._at]) != '"':
            if c == "\\" and self._line[self._at + 1 : self._at + 2] in ('"', "\\", "$", "`", "\n"):
                self._doubt("a backslash changes what the quotation marks around it mean")
                parts.append(self._escaped())
                continue
            if c == "`":
                self._doubt("it runs a command inside another (`…`)")
            self._expansion()
            parts.append(c)
            self._at += 1
        if self._at >= len(self._line):
            self._doubt("a quotation mark is not closed")
        self._at += 1
        return "".join(parts)
