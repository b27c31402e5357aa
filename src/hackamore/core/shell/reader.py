"""Reads a command line into simple commands, or says why it may do more than that."""

import re
from functools import lru_cache
from typing import Final

from hackamore.core.shell.line import (
    CommandLine,
    NotUnderstood,
    Redirection,
    SimpleCommand,
    Word,
)
from hackamore.core.shell.tokens import Operator, Token, Tokens
from hackamore.core.visible import name_hides_something

_LONGEST: Final = 10_000
_BETWEEN: Final = frozenset({"&&", "||", "|", ";", "\n"})
_MAY_END: Final = frozenset({";", "\n"})
_REDIRECTION: Final = re.compile(r"\d*(&>>|&>|<>|<&|>>|>&|>\||<|>)")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*(\[[^]]*\])?\+?=", re.ASCII)
_UNUSUAL_SPACE: Final = re.compile(r"[^\S \t\n]")
_KEYWORDS: Final = frozenset(
    {"if", "then", "elif", "else", "fi", "for", "in", "while", "until", "do", "done", "case"}
    | {"esac", "select", "function", "coproc", "{", "}", "!", "[[", "]]"}
)
_UNCLEAR_OPERATORS: Final = {
    "&": "it leaves something running in the background (&)",
    "|&": "it has |&, which sends errors on too",
    ";;": "it has ;;",
    "(": "it has parentheses, which run something apart",
    ")": "it has parentheses, which run something apart",
}


@lru_cache(maxsize=512)
def read_line(line: str) -> CommandLine:
    """Return the simple commands of `line`, with the first thing that was not understood."""
    tokens = Tokens(line)
    reading = _Reading(tokens.read())
    commands = reading.commands()
    reason = _unclear_signs(line) or tokens.unclear or reading.unclear
    return CommandLine(commands, NotUnderstood(reason) if reason else None)


def _unclear_signs(line: str) -> str | None:
    """Return what no line that a person can read in full has in it."""
    if len(line) > _LONGEST:
        return f"it is longer than {_LONGEST:,} characters"
    if _UNUSUAL_SPACE.search(line) or name_hides_something(line) or "\r" in line:
        return "it has characters that cannot be seen"
    return None


class _Reading:
    """Groups words and operators into simple commands."""

    def __init__(self, tokens: list[Token]) -> None:
        self.unclear: str | None = None
        self._tokens = tokens
        self._at = 0

    def commands(self) -> tuple[SimpleCommand, ...]:
        found: list[SimpleCommand] = []
        while self._at < len(self._tokens):
            command = self._command()
            last = self._separator()
            if command == SimpleCommand():
                if last != "\n":
                    self._doubt("a command is missing in it")
            else:
                found.append(command)
            if self._at == len(self._tokens) and last not in ("", *_MAY_END):
                self._doubt("a command is missing in it")
        return tuple(found)

    def _doubt(self, reason: str) -> None:
        self.unclear = self.unclear or reason

    def _separator(self) -> str:
        """Go past the operator that ends a command, and return it; '' at the end."""
        if self._at == len(self._tokens):
            return ""
        token = self._tokens[self._at]
        self._at += 1
        text = token.text
        if text not in _BETWEEN:
            self._doubt(_UNCLEAR_OPERATORS.get(text, "it has text that is fed to a command (<<)"))
        return text

    def _command(self) -> SimpleCommand:
        words: list[Word] = []
        assignments: list[str] = []
        redirections: list[Redirection] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if isinstance(token, Operator):
                if not _REDIRECTION.fullmatch(token.text):
                    break
                redirections.append(self._redirection(token))
                continue
            self._at += 1
            if not words and _ASSIGNMENT.match(token.text):
                assignments.append(token.text)
                if not token.plain:
                    self._doubt("an assignment is written with quotation marks or backslashes")
            else:
                self._look_at_program(token, first=not words)
                words.append(token)
        return SimpleCommand(tuple(words), tuple(assignments), tuple(redirections))

    def _look_at_program(self, word: Word, *, first: bool) -> None:
        if not first:
            return
        if word.text in _KEYWORDS:
            self._doubt(f"it is more than simple commands ({word.text})")
        if not word.known:
            self._doubt("the program's name is a pattern")

    def _redirection(self, operator: Operator) -> Redirection:
        self._at += 1
        kind = operator.text.lstrip("0123456789")
        if self._at < len(self._tokens):
            target = self._tokens[self._at]
            if isinstance(target, Word):
                self._at += 1
                return Redirection(kind, target)
        self._doubt("a redirection leads nowhere")
        return Redirection(kind, Word("", known=False))
