"""The table of keys: which there are, what each may hold, and what a project may set.

A project's file comes with the code one opens. So it may only narrow: it can deny and ask more,
hide more and name modes, but not choose where the model runs or open a path.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

Check: TypeAlias = Callable[[object], str | None]
"""Returns what the value must be, when it is not that; else None."""


def text(value: object) -> str | None:
    """Accept a string."""
    return None if isinstance(value, str) else "a string"


def texts(value: object) -> str | None:
    """Accept a list of strings."""
    fits = isinstance(value, list) and all(isinstance(one, str) for one in value)  # pyright: ignore[reportUnknownVariableType]
    return None if fits else "a list of strings"


def number(value: object) -> str | None:
    """Accept a number."""
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    return None if fits else "a number"


def whole(value: object) -> str | None:
    """Accept a whole number above zero."""
    fits = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return None if fits else "a whole number above zero"


def one_of(*choices: str) -> Check:
    """Accept one of `choices`."""

    def check(value: object) -> str | None:
        return None if value in choices else "one of " + ", ".join(map(repr, choices))

    return check


@dataclass(frozen=True, slots=True)
class Key:
    """One key: what it may hold, and whether a project may set it."""

    check: Check
    project: bool = False


_ANSWER: Final = one_of("allow", "ask", "deny")
_FORMAT: Final = one_of("auto", "native", "xml", "react", "hermes")

KEYS: Final[Mapping[str, Key]] = {
    "model": Key(text),
    "base_url": Key(text),
    "tool_format": Key(_FORMAT),
    "language": Key(one_of("en", "zh")),
    "models.*.tool_format": Key(_FORMAT),
    "models.*.prompt": Key(one_of("full", "small")),
    "models.*.context": Key(whole),
    "models.*.sampling.*": Key(number),
    "approve.read": Key(_ANSWER, project=True),
    "approve.write": Key(_ANSWER, project=True),
    "approve.run": Key(_ANSWER, project=True),
    "approve.network": Key(_ANSWER, project=True),
    "approve.commands.allow": Key(texts),
    "approve.commands.ask": Key(texts, project=True),
    "approve.commands.deny": Key(texts, project=True),
    "approve.paths.ask": Key(texts, project=True),
    "approve.paths.deny": Key(texts, project=True),
    "sandbox.level": Key(one_of("full", "landlock", "none")),
    "sandbox.read": Key(texts),
    "sandbox.write": Key(texts),
    "sandbox.hidden": Key(texts, project=True),
    "sandbox.readonly": Key(texts, project=True),
    "sandbox.ask": Key(texts, project=True),
    "sandbox.network_hosts": Key(texts),
    "mcp.startupWait": Key(number),
    "mcp.consent": Key(one_of("ask", "refuse")),
    "mcp.sampling": Key(one_of("off", "ask")),
    "xml.mcp": Key(one_of("wrapped", "direct")),
    "modes.*.tools": Key(texts, project=True),
    "modes.*.prompt": Key(text, project=True),
    "modes.*.model": Key(text),
}


def key_for(path: tuple[str, ...]) -> Key | None:
    """Return the table's entry for a key's path, or None when there is no such key."""
    for pattern, key in KEYS.items():
        names = pattern.split(".")
        if len(names) == len(path) and all(
            want in ("*", got) for want, got in zip(names, path, strict=True)
        ):
            return key
    return None


def is_table(path: tuple[str, ...]) -> bool:
    """Return whether keys lie below `path`."""
    return any(
        len(names) > len(path)
        and all(want in ("*", got) for want, got in zip(names, path, strict=False))
        for names in (pattern.split(".") for pattern in KEYS)
    )


def line_of(source: str, path: tuple[str, ...]) -> int:
    """Return the line (from 1) of `source` where a key stands; 1 when it is not found.

    The TOML reader of the standard library gives no lines, so the last name of the key is looked
    for below its table's header.
    """
    header = ".".join(path[:-1])
    table = ""
    for number_of, line in enumerate(source.splitlines(), start=1):
        if found := re.match(r"\s*\[\s*(.+?)\s*\]\s*(#.*)?$", line):
            table = re.sub(r"[\"'\s]", "", found.group(1))
            if table == ".".join(path):
                return number_of
        elif found := re.match(r"\s*([\w.\"'-]+)\s*=", line):
            name = found.group(1).replace('"', "").replace("'", "")
            full = f"{table}.{name}" if table else name
            if full == ".".join(path) or full.startswith(".".join(path) + "."):
                return number_of
            if table == header.replace('"', "") and name == path[-1]:
                return number_of
    return 1
