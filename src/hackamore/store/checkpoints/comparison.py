"""What differs between two looks at a workspace."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from hackamore.core.changes import FileChange
from hackamore.core.errors import WorkspaceError
from hackamore.store.checkpoints.manifest import Entry, Tree

Change = Literal["added", "removed", "modified", "mode"]

DAMAGED: Final = "no diff: its kept content is damaged"
IGNORED: Final = "left out: ignored"
INCOMPLETE: Final = "left out: the checkpoint is incomplete"
_SHOWN_BYTES: Final = 512 * 1024


@dataclass(frozen=True, slots=True)
class Difference:
    """One path that differs.

    Attributes:
        path: Relative to the workspace.
        change: What happened to it from the old to the new.
        diff: For texts, the unified diff; empty for anything else.
        note: Why there is no diff, when something is wrong.
    """

    path: str
    change: Change
    diff: str = ""
    note: str = ""


def differing(old: Tree, new: Tree) -> list[tuple[str, Change]]:
    """Return the paths that differ, by name; without those that one side could not look at."""
    found: list[tuple[str, Change]] = []
    for path in sorted(old.entries.keys() | new.entries.keys()):
        before, after = old.entries.get(path), new.entries.get(path)
        if unknown(path, old, before) or unknown(path, new, after):
            continue
        if change := _change(before, after):
            found.append((path, change))
    return found


def unknown(path: str, tree: Tree, entry: Entry | None) -> bool:
    """Tell whether a look cannot say that a path was not there."""
    return entry is None and why_unknown(path, tree) is not None


def why_unknown(path: str, tree: Tree) -> str | None:
    """Return why a look without an entry for a path cannot say whether it was there.

    None when it can say that it was not. The nearest of the path and its folders decides.
    """
    names = path.split("/")
    for depth in range(len(names), 0, -1):
        above = "/".join(names[:depth])
        if above in tree.absent:
            return None
        if above in tree.left:
            return tree.left[above]
        if above in tree.ignored:
            return IGNORED
    return None if tree.complete else INCOMPLETE


def _change(before: Entry | None, after: Entry | None) -> Change | None:
    if before is None:
        return "added"
    if after is None:
        return "removed"
    if before.same(after):
        return None
    return "mode" if (before.kind, before.key) == (after.kind, after.key) else "modified"


def described(
    old: Tree, new: Tree, read_old: Callable[[str], bytes], read_new: Callable[[str], bytes]
) -> list[Difference]:
    """Return the differences with the diffs of texts.

    Args:
        old: The older look.
        new: The newer look.
        read_old: Gives the content of a key of the older.
        read_new: Gives the content of a key of the newer.
    """
    return [
        Difference(path, change, *_diff(path, old, new, (read_old, read_new)))
        for path, change in differing(old, new)
    ]


def _diff(
    path: str, old: Tree, new: Tree, read: tuple[Callable[[str], bytes], Callable[[str], bytes]]
) -> tuple[str, str]:
    """Return a diff, or none and what is wrong."""
    try:
        before = _text(old.entries.get(path), read[0])
        after = _text(new.entries.get(path), read[1])
    except ValueError:
        return "", ""
    except WorkspaceError:
        return "", DAMAGED
    return (FileChange(path, before, after).diff() if before != after else ""), ""


def _text(entry: Entry | None, read: Callable[[str], bytes]) -> str | None:
    """Return a file's text, None for no file.

    Raises:
        ValueError: It is no text, or a long one.
    """
    if entry is None or entry.kind != "file":
        return None
    data = read(entry.key)
    if b"\0" in data or len(data) > _SHOWN_BYTES:
        raise ValueError("no text to show")
    return data.decode("utf-8")
