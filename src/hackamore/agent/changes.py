"""The ledger: which files differ from before the run."""

from hackamore.core.changes import FileChange


class Ledger:
    """Adds changes up: a file changed twice is one change, one changed back is none."""

    def __init__(self) -> None:
        self._changes: dict[str, FileChange] = {}

    def add(self, change: FileChange) -> None:
        """Enter one change."""
        first = self._changes.get(change.path)
        before = change.before if first is None else first.before
        self._changes[change.path] = FileChange(change.path, before, change.after)

    def net(self) -> tuple[FileChange, ...]:
        """Return what differs from before, in the order of paths."""
        real = (one for one in self._changes.values() if one.before != one.after)
        return tuple(sorted(real, key=lambda one: one.path))
