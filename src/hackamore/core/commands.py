"""Judges command lines against rules such as ``git status``, by their words and never by text.

A line is allowed only when every part of it was understood and is covered: the same program and
subcommand, and further arguments that the table of harmless uses knows. A rule that denies fits
in doubt. `deny` wins over `ask`, and `ask` over `allow`.
"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from hackamore.core.arguments import read_arguments
from hackamore.core.forbidden import meant_anywhere
from hackamore.core.protected import PathMatcher
from hackamore.core.shell.line import CommandLine, Redirection, SimpleCommand, Word
from hackamore.core.shell.reader import read_line
from hackamore.core.usages import LONGEST_NAME

_HARMLESS_VARIABLES: Final = frozenset(
    {"LC_ALL=C", "LC_ALL=C.UTF-8", "LANG=C", "LANG=C.UTF-8", "CI=1", "NO_COLOR=1"}
)
_DURATION: Final = re.compile(r"\d+(\.\d+)?[smhd]?")


@dataclass(frozen=True, slots=True)
class CommandRules:
    """What is said of commands; a pattern is a program with its first words.

    Attributes:
        allow: Commands that run unasked where the layer would ask.
        ask: Commands that are always asked.
        deny: Commands that never run.
        hidden: Patterns as in `PathMatcher` of files that no command may name.
    """

    allow: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer for one command line.

    Attributes:
        answer: What is to be done.
        reason: Why; empty when it is allowed.
        by_rule: A rule asks or denies; False when merely nothing allows it.
    """

    answer: Literal["allow", "ask", "deny"]
    reason: str = ""
    by_rule: bool = False


@lru_cache(maxsize=1024)
def judge_line(line: str, rules: CommandRules) -> Judgement:
    """Return whether `line` may run, must be asked, or must not run."""
    if "\0" in line:
        return Judgement("deny", "the command holds a NUL byte", by_rule=True)
    read = read_line(line)
    return (
        _denied(line, read, rules)
        or _asked(line, read, rules)
        or _doubted(read, rules)
        or Judgement("allow")
    )


def _denied(line: str, read: CommandLine, rules: CommandRules) -> Judgement | None:
    if found := meant_anywhere(rules.deny, line, read):
        return Judgement("deny", f"commands like {found!r} are denied", by_rule=True)
    for path in _files(read) if rules.hidden else ():
        if _matcher(rules.hidden).matches(posixpath.normpath(path)) and not path.startswith("~"):
            return Judgement("deny", f"{path} is hidden", by_rule=True)
    return None


def _asked(line: str, read: CommandLine, rules: CommandRules) -> Judgement | None:
    if found := meant_anywhere(rules.ask, line, read):
        return Judgement("ask", f"commands like {found!r} are always asked", by_rule=True)
    if read.unclear and (rules.ask or rules.deny):
        return Judgement("ask", read.unclear.reason, by_rule=True)
    return None


def _doubted(read: CommandLine, rules: CommandRules) -> Judgement | None:
    """Return why the line is not allowed, or None when all its parts are."""
    if read.unclear:
        return Judgement("ask", read.unclear.reason)
    if not read.commands:
        return Judgement("ask", "there is no command in it")
    reasons = (_uncovered(command, rules.allow) for command in read.commands)
    reason = next((one for one in reasons if one is not None), None)
    return None if reason is None else Judgement("ask", reason)


def _uncovered(command: SimpleCommand, allow: tuple[str, ...]) -> str | None:
    """Return why no pattern covers one simple command."""
    for variable in command.assignments:
        if variable not in _HARMLESS_VARIABLES:
            return f"it sets {variable.partition('=')[0]}"
    for redirection in command.redirections:
        if not _harmless(redirection):
            return f"it redirects to or from {redirection.target.text}"
    if not command.words:
        return "there is no program in it"
    if not command.words[0].plain:
        return "the program's name is written with quotation marks or backslashes"
    words = _unwrapped(command.words)
    reasons = [_mismatch(tuple(one.split()), each) for one in allow for each in words]
    if not reasons or None in reasons:
        return None if reasons else "no command is allowed beforehand"
    told = next((reason for reason in reasons if reason), None)
    return told or f"no rule allows {command.words[0].text!r} with these words"


def _mismatch(pattern: tuple[str, ...], words: tuple[Word, ...]) -> str | None:
    """Return None when `words` are covered; else why not, empty when they are of another kind."""
    texts = tuple(word.text for word in words)
    if not pattern or texts[: len(pattern)] != pattern:
        return ""
    if not words[0].plain or not all(word.known for word in words[: len(pattern)]):
        return "the program's name is not written plainly"
    rest = words[len(pattern) :]
    if not rest:
        return None
    arguments = read_arguments(pattern, rest)
    if arguments is None:
        return f"{pattern[0]} is given more than the rule {' '.join(pattern)!r} says"
    return arguments.problem


def _harmless(redirection: Redirection) -> bool:
    target = redirection.target.text
    if redirection.operator == ">&":
        return target in ("1", "2")
    return redirection.operator in (">", ">>", "&>", "<") and target == "/dev/null"


def _unwrapped(words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """Return the words, and then the words without each harmless program that runs others."""
    found = [words]
    while inner := _inside(words):
        words = inner
        found.append(words)
    return found


def _inside(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the command that a wrapper would run; () when it is none, or not a plain one."""
    texts = [word.text for word in words]
    match texts:
        case ["timeout", duration, _, *_] if _DURATION.fullmatch(duration):
            return words[2:]
        case ["nice", "-n", number, _, *_] if number.isdecimal():
            return words[3:]
        case ["nice" | "time" | "command", program, *_] if not program.startswith("-"):
            return words[1:]
        case ["git", "--no-pager", _, *_]:
            return (words[0], *words[2:])
        case _:
            return ()


def _files(read: CommandLine) -> Iterator[str]:
    """Yield the files that the line is known to name."""
    for command in read.commands:
        for redirection in command.redirections:
            yield redirection.target.text
        for words in _unwrapped(command.words):
            for length in range(1, LONGEST_NAME + 1):
                name = tuple(word.text for word in words[:length])
                arguments = read_arguments(name, words[length:])
                yield from arguments.files if arguments else ()


@lru_cache(maxsize=64)
def _matcher(patterns: tuple[str, ...]) -> PathMatcher:
    return PathMatcher(patterns)
