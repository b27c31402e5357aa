"""Undoing what a command put into ``.git``, or in the place of a protected link.

What exists of git's configuration and hooks is bound read-only. A path that does not exist, and a
link, cannot be bound: so they are looked at before each command and put back after it. Works on
the host's side, in the workspace's root and its own ``.git`` only, and follows no link.
"""

import os
import secrets
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

_LINKS_AT_ROOT: Final = (".git",)
_INSIDE: Final = ("commondir", "config", "config.worktree", "hooks")
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class _Guarded:
    """A name that was free (None) or a link (where it led) before the command."""

    folder: str
    link: str | None


class GitGuard:
    """Watches the repository at a workspace's root, and the links there that have `names`.

    Commands that run side by side are one watch: what was there before the first of them counts.
    """

    def __init__(self, root: str, names: Iterable[str] = ()) -> None:
        self._root = root
        self._names = (*_LINKS_AT_ROOT, *names)
        self._running = 0
        self._before: Mapping[str, _Guarded] = {}

    @contextmanager
    def watching(self) -> Generator[list[str]]:
        """Yield a list that holds, once the block was left, a line for everything undone."""
        if not self._running:
            self._before = _look(self._root, self._names)
        self._running += 1
        undone: list[str] = []
        try:
            yield undone
        finally:
            self._running -= 1
            for name, guarded in self._before.items():
                undone += _put_back(name, guarded)


def _look(root: str, links: tuple[str, ...]) -> dict[str, _Guarded]:
    """Return what has to be guarded; all else is covered, or there is no repository."""
    git = f"{root}/.git"
    return {
        name: _Guarded(folder, link)
        for folder, names in ((root, links), (git, _INSIDE))
        for name in names
        for link in _links(folder, name)
        if link is not None or folder == git
    }


def _links(folder: str, name: str) -> list[str | None]:
    """Return where a link leads, None for a free name, nothing for what is no link."""
    try:
        with _opened(folder) as descriptor:
            return [_link(descriptor, name)]
    except OSError:
        return []


def _put_back(name: str, guarded: _Guarded) -> list[str]:
    """Move aside what has come in the place of `name`; return the line that says so."""
    aside = f"refused-{name.lstrip('.')}-{secrets.token_hex(4)}"
    where = ".git" if name in _INSIDE else "."
    try:
        with _opened(guarded.folder) as descriptor:
            if not _differs(descriptor, name, guarded.link):
                return []
            _move(descriptor, name, aside)
            if guarded.link is not None:
                os.symlink(guarded.link, name, dir_fd=descriptor)
    except OSError as error:
        return [
            f"[danger: {where}/{name} was changed and could not be put back ({error.strerror}); "
            "look at it before you use git or open an editor here]"
        ]
    return [
        f"[undone: {where}/{name} was changed, which other programs trust; "
        f"it is {where}/{aside} now]"
    ]


def _differs(folder: int, name: str, link: str | None) -> bool:
    try:
        return _link(folder, name) != link
    except OSError:
        return True  # it is there and is no link


def _link(folder: int, name: str) -> str | None:
    """Return where a link leads, or None when nothing has that name.

    Raises:
        OSError: It is something else.
    """
    try:
        return os.readlink(name, dir_fd=folder)
    except FileNotFoundError:
        return None


def _move(folder: int, name: str, aside: str) -> None:
    """Give what has this name another one, if there is something."""
    try:
        os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)
    except FileNotFoundError:
        return  # a link that was removed


@contextmanager
def _opened(folder: str) -> Generator[int]:
    descriptor = os.open(folder, _FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
