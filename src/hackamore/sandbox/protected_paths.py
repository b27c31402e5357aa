"""Finding what exists of the protected paths, so that commands can be kept from it.

Folders of installed or built things, which can be huge, are looked at last, for secrets only, and
only they themselves and the folders right in them.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hackamore.core.protected import PathMatcher, SandboxRules, holds_token, may_hold_token

_SHALLOW: Final = frozenset(
    ("node_modules", ".venv", "venv", "__pycache__", ".tox", ".nox", ".hg", ".svn", "target")
)
_MAX_ENTRIES: Final = 200_000
_MAX_SECONDS: Final = 3.0
_QUICK_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Covers:
    """What is laid over the workspace; absolute paths.

    Attributes:
        hidden_files: Covered by nothing readable.
        hidden_folders: Covered by an empty folder.
        readonly: Bound over themselves, read-only.
        pinned: Bound over themselves, so that they cannot be renamed away.
        complete: All that is to be looked at was, before time or entries ran out.
        inodes: Of every path above: a file that was replaced has lost its cover.
    """

    hidden_files: tuple[str, ...] = ()
    hidden_folders: tuple[str, ...] = ()
    readonly: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    complete: bool = True
    inodes: Mapping[str, int] = field(default_factory=dict[str, int])


def find_covers(root: str, rules: SandboxRules, *, seconds: float = _MAX_SECONDS) -> Covers:
    """Walk the workspace once, at most for `seconds`, and return what is to be covered."""
    finder = _Finder(root, rules, seconds)
    finder.walk()
    return Covers(
        tuple(sorted(finder.hidden_files)),
        tuple(sorted(finder.hidden_folders)),
        tuple(sorted(finder.readonly)),
        tuple(sorted(finder.pinned)),
        finder.complete,
        finder.inodes,
    )


def covers_hold(root: str, rules: SandboxRules, covers: Covers) -> bool:
    """Tell whether `covers` are still what the workspace needs.

    Looks at the whole tree where that is quick, else at a part of it and the covered paths.
    """
    now = find_covers(root, rules, seconds=_QUICK_SECONDS)
    if now.complete and covers.complete:
        return now == covers
    if covers.complete and not now.inodes.items() <= covers.inodes.items():
        return False
    return all(_inode(path) == inode for path, inode in covers.inodes.items())


def _leads_to_folder(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:
        return False  # a loop, or nothing


def _is_token_file(entry: os.DirEntry[str], folder: bool) -> bool:
    if folder or not may_hold_token(entry.name) or not entry.is_file(follow_symlinks=False):
        return False
    try:
        return holds_token(entry.name, Path(entry.path).read_bytes())
    except OSError:
        return True  # what cannot be looked into is hidden


def _leads_to_repository(entry: os.DirEntry[str], folder: bool) -> bool:
    """Tell whether this is the ``.git`` of a linked worktree or submodule: a file with a path."""
    return entry.name == ".git" and not folder


def _inode(path: str) -> int:
    try:
        return os.lstat(path).st_ino
    except OSError:
        return 0


class _Finder:
    def __init__(self, root: str, rules: SandboxRules, seconds: float) -> None:
        self.hidden_files: list[str] = []
        self.hidden_folders: list[str] = []
        self.readonly: list[str] = []
        self.pinned: list[str] = []
        self.complete = True
        self.inodes: dict[str, int] = {}
        self._root = root
        self._hidden = PathMatcher(rules.hidden)
        self._readonly = PathMatcher(rules.readonly)
        self._shallow: dict[str, None] = {}
        self._entries = 0
        self._deadline = time.monotonic() + seconds

    def walk(self) -> None:
        """Look at every folder, nearest to the root first, until a bound is reached."""
        self._walk([""], self._enter)
        self._walk(self._shallow, self._enter_shallow)

    def _walk(self, start: Iterable[str], enter: Callable[[os.DirEntry[str], str], bool]) -> None:
        folders = list(start)
        for folder in folders:  # grows while we walk
            if self._entries > _MAX_ENTRIES or time.monotonic() > self._deadline:
                self.complete = False
                return
            for entry in self._scan(folder):
                if entry.is_symlink():
                    self._follow(entry, f"{folder}{entry.name}")
                elif enter(entry, f"{folder}{entry.name}"):
                    folders.append(f"{folder}{entry.name}/")

    def _scan(self, folder: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self._root, folder)) as entries:  # noqa: PTH118
                found = list(entries)
        except OSError:
            return
        self._entries += len(found)
        yield from found

    def _enter(self, entry: os.DirEntry[str], path: str) -> bool:
        """Note what is to be covered; tell whether to look inside."""
        folder = entry.is_dir(follow_symlinks=False)
        if self._hide(entry, path, folder):
            return False
        if self._readonly.judge_entry(path, folder=folder) or _leads_to_repository(entry, folder):
            self._note(self.readonly, entry)
            return False
        if not folder:
            return False
        return self._enter_folder(entry, path)

    def _enter_shallow(self, entry: os.DirEntry[str], path: str) -> bool:
        folder = entry.is_dir(follow_symlinks=False)
        hidden = self._hide(entry, path, folder)
        return folder and not hidden and path.removesuffix(entry.name) in self._shallow

    def _hide(self, entry: os.DirEntry[str], path: str, folder: bool) -> bool:
        """Note a secret; tell whether it is one."""
        hidden = self._hidden.judge_entry(path, folder=folder) or _is_token_file(entry, folder)
        if hidden:
            self._note(self.hidden_folders if folder else self.hidden_files, entry)
        return hidden

    def _follow(self, link: os.DirEntry[str], path: str) -> None:
        """Note what a link with a protected name leads to, where that lies in the workspace."""
        folder = _leads_to_folder(link)
        hidden = self._hidden.judge_entry(path, folder=folder)
        if not hidden and not self._readonly.judge_entry(path, folder=folder):
            return
        target = os.path.realpath(link.path)
        holds_link = f"{link.path}/".startswith(f"{target}/")
        inode = _inode(target)
        if holds_link or not inode or not target.startswith(f"{self._root}/"):
            return
        where = self.hidden_folders if folder else self.hidden_files
        covers = where if hidden else self.readonly
        if target not in self.inodes:
            covers.append(target)
            self.inodes[target] = inode

    def _note(self, covers: list[str], entry: os.DirEntry[str]) -> None:
        covers.append(entry.path)
        self.inodes[entry.path] = entry.inode()

    def _enter_folder(self, entry: os.DirEntry[str], path: str) -> bool:
        if entry.name == ".git":
            self._note(self.pinned, entry)
            return True
        if "/.git/" in f"/{path}/":
            return entry.name not in ("objects", "refs", "logs", "lfs")
        if entry.name in _SHALLOW:
            self._shallow[f"{path}/"] = None
            return False
        return True
