"""Which paths of a workspace belong in a checkpoint. Reads only ``.gitignore`` files."""

import os
import stat
from typing import Final

from hackamore.core.ignored import Ignore, is_ignored
from hackamore.core.protected import TOOL_READONLY, PathMatcher, SandboxRules

BUILT: Final = frozenset(
    (
        *(".hg", ".svn", ".jj", "node_modules", ".venv", "venv", "__pycache__", "target"),
        *(".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"),
        *(".gradle", ".terraform", ".next", ".nuxt", ".turbo", ".cache", ".eggs"),
    )
)
"""Folders that programs make and can make again."""

_IGNORE_FILE_BYTES: Final = 256 * 1024


class Scope:
    """Judges paths by the rules of a workspace."""

    def __init__(self, rules: SandboxRules) -> None:
        self._protected = [
            PathMatcher(patterns) for patterns in (rules.hidden, rules.readonly, TOOL_READONLY)
        ]

    def protected(self, path: str, *, folder: bool | None = None) -> bool:
        """Tell whether a path is never kept and never restored: a secret, say, or ``.git``."""
        return any(matcher.matches(path, folder=folder) for matcher in self._protected)

    def left_out(self, path: str, ignores: tuple[Ignore, ...], *, folder: bool) -> bool:
        """Tell whether an entry, whose folders belong in, does not."""
        if any(matcher.judge_entry(path, folder=folder) for matcher in self._protected):
            return True
        if folder and path.rpartition("/")[2] in BUILT:
            return True
        return is_ignored(path, ignores, folder=folder)


def read_ignore(folder: int, name: str, base: str) -> tuple[Ignore, ...]:
    """Return the patterns of a file in an open folder; none when there is no such file."""
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError:
        return ()
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return ()
        text = os.read(fd, _IGNORE_FILE_BYTES).decode("utf-8", "replace")
    finally:
        os.close(fd)
    return (Ignore(base, PathMatcher(text.splitlines())),)
