"""Which protected paths, of those that do not exist yet, are kept free for nobody to take.

A bind mount needs something below it. So for the time of a session an empty folder or file stands
where there was nothing. Only names right in the workspace are kept: those are what editors, shells
and other agents look for there.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from hackamore.core.protected import SHELL_START_FILES, PathMatcher, SandboxRules

_FOLDERS: Final = frozenset((".hackamore", ".vscode", ".idea", ".devcontainer"))
_WILD: Final = frozenset("*?[\\")


class Missing(NamedTuple):
    """A name in the workspace's root, and what is to stand there."""

    name: str
    kind: Literal["file", "folder"]


def names_to_keep(root: Path, home: Path, rules: SandboxRules) -> tuple[Missing, ...]:
    """Return the protected names of a workspace's root, whether they exist or not.

    Shell start files count only where a shell would look for them: in the home folder.
    """
    protected = PathMatcher(rules.readonly)
    at_home = root == home or home.is_relative_to(root)
    kept = dict.fromkeys(
        name
        for name in _plain_names(rules.readonly)
        if protected.matches(name) and (at_home or name not in SHELL_START_FILES)
    )
    return tuple(Missing(name, _kind(name, rules.readonly)) for name in kept)


def _plain_names(patterns: Iterable[str]) -> Iterator[str]:
    """Yield the patterns that are one name without wildcards."""
    for pattern in patterns:
        name = pattern.removeprefix("/").rstrip("/")
        if name and "/" not in name and name[0] not in "!#" and not _WILD & set(name):
            yield name


def _kind(name: str, patterns: Iterable[str]) -> Literal["file", "folder"]:
    said = any(pattern.endswith("/") and pattern.strip("/") == name for pattern in patterns)
    return "folder" if said or name in _FOLDERS else "file"
