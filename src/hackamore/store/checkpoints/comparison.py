"""What differs between two looks at a workspace."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from hackamore.core.changes import FileChange
from hackamore.store.checkpoints.manifest import Entry, Tree

Change = Literal["added", "removed", "modified", "mode"]

_SHOWN_BYTES: Final = 512 * 1024


@dataclass(frozen=True, slots=True)
class Difference:
    """One path that differs.

    Attributes:
        path: Relative to the workspace.
        change: What happened to it from the old to the new.
        diff: For texts, the unified diff; empty for anything else.
    """

    path: str
    change: Change
    diff: str = ""


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
    if entry is not None:
        return False
    names = path.split("/")
    above = ("/".join(names[:depth]) for depth in range(1, len(names) + 1))
    return not tree.complete or any(folder in tree.left for folder in above)


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
        Difference(path, change, _diff(path, old, new, (read_old, read_new)))
        for path, change in differing(old, new)
    ]


def _diff(
    path: str, old: Tree, new: Tree, read: tuple[Callable[[str], bytes], Callable[[str], bytes]]
) -> str:
    try:
        before = _text(old.entries.get(path), read[0])
        after = _text(new.entries.get(path), read[1])
    except ValueError:
        return ""
    return FileChange(path, before, after).diff() if before != after else ""


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
