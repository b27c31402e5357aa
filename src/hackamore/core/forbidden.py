"""Whether a pattern such as ``git push`` is meant by a command, however it is dressed up.

Used for rules that deny or ask: in doubt they fit.
"""

import re
from typing import Final

from hackamore.core.shell.line import CommandLine

_CARRIERS: Final = frozenset(
    {"env", "timeout", "nice", "time", "nohup", "command", "builtin", "exec", "eval", "xargs"}
    | {"sudo", "doas", "su", "sh", "bash", "dash", "zsh", "ksh", "busybox", "find", "parallel"}
    | {"setsid", "stdbuf", "script", "watch", "ionice", "chroot", "unshare", "trap", "strace"}
    | {"flock", "taskset", "chrt", "fakeroot", "run-parts", "ltrace", "gdb", "valgrind", "perf"}
    | {"ssh", "at", "batch", "systemd-run", "start-stop-daemon", "bwrap", "nsenter", "proot"}
)
_SEPARATORS: Final = re.compile(r"[\s;&|()<>{}`'\"$\\=,]+")
_SHORT: Final = re.compile(r"-[A-Za-z]+")


def meant_anywhere(patterns: tuple[str, ...], line: str, read: CommandLine) -> str | None:
    """Return the first pattern that some command of `line` fits, or None.

    Where the line was not understood, or a program runs another, each word may be a program.
    """
    return next((one for one in patterns if _meant(one.split(), line, read)), None)


def _meant(pattern: list[str], line: str, read: CommandLine) -> bool:
    if not pattern:
        return False
    commands = [[word.text for word in one.words] for one in read.commands if one.words]
    if any(_fits(pattern, command) for command in commands):
        return True
    if read.unclear is None and not any(_name(one[0]) in _CARRIERS for one in commands):
        return False
    carried = [command for command in commands if _name(command[0]) in _CARRIERS]
    return any(
        _fits(pattern, words[start:])
        for words in (*carried, _SEPARATORS.split(line))
        for start in range(len(words))
    )


def _name(program: str) -> str:
    return program.rpartition("/")[2]


def _fits(pattern: list[str], words: list[str]) -> bool:
    """Whether the program is the same and the further words begin alike, options aside."""
    if not words or _name(words[0]) != pattern[0]:
        return False
    options = [word for word in pattern[1:] if word.startswith("-")]
    plain = [word for word in pattern[1:] if not word.startswith("-")]
    return all(_has_option(one, words[1:]) for one in options) and _begins(plain, words[1:])


def _has_option(option: str, words: list[str]) -> bool:
    if not _SHORT.fullmatch(option):
        return any(word == option or word.startswith(f"{option}=") for word in words)
    given = "".join(word[1:] for word in words if _SHORT.fullmatch(word))
    return set(option[1:]) <= set(given)


def _begins(wanted: list[str], words: list[str]) -> bool:
    """Whether the operands begin with `wanted`, where any option may have taken a value."""
    done = {0}
    optional = False
    for word in words:
        reached = {at + 1 for at in done if at < len(wanted) and wanted[at] == word}
        if word.startswith("-") or optional:
            reached |= done
        optional = word.startswith("-")
        if len(wanted) in reached | done:
            return True
        done = reached
    return len(wanted) in done
