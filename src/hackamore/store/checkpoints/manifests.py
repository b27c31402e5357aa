"""The row of checkpoints of one workspace, from the oldest to the newest."""

from pathlib import Path
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.errors import UsageError, WorkspaceError
from hackamore.store.checkpoints.files import write_whole
from hackamore.store.checkpoints.manifest import (
    Checkpoint,
    Tree,
    decode_header,
    decode_tree,
    encode,
)

_SUFFIX: Final = ".ckpt"


class Manifests:
    """The checkpoints' files below one folder; their names say time and id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[Checkpoint]:
        """Return the headers of all that can be read, the oldest first."""
        found: list[Checkpoint] = []
        for path in self.files():
            try:
                found.append(decode_header(path.read_bytes()))
            except (ValueError, FileNotFoundError):
                continue  # damaged, or pruned by another session meanwhile
        return found

    def newest(self) -> tuple[Checkpoint, Tree] | None:
        """Return the newest that can be read."""
        for path in reversed(self.files()):
            try:
                data = path.read_bytes()
                return decode_header(data), decode_tree(data)
            except (ValueError, FileNotFoundError):
                continue
        return None

    def find(self, prefix: str) -> Checkpoint:
        """Return the one whose id begins so.

        Raises:
            UsageError: There is none, or more than one.
        """
        fitting = [found for found in self.all() if prefix and found.id.startswith(prefix.lower())]
        if len(fitting) == 1:
            return fitting[0]
        number = "no" if not fitting else "more than one"
        raise UsageError(
            f"There is {number} checkpoint whose id begins with {prefix!r}.",
            hint="See: hackamore checkpoints list.",
        )

    def tree(self, checkpoint: Checkpoint) -> Tree:
        """Return what a checkpoint holds.

        Raises:
            WorkspaceError: It is gone or damaged.
        """
        try:
            return decode_tree(self._path(checkpoint).read_bytes())
        except (OSError, ValueError) as error:
            raise WorkspaceError(
                f"The checkpoint {checkpoint.id} cannot be read: {error}.",
                hint="Choose another: hackamore checkpoints list.",
                code=Code.NOT_FOUND,
            ) from error

    def add(self, checkpoint: Checkpoint, tree: Tree) -> None:
        """Keep a checkpoint whose contents are kept already."""
        write_whole(self._path(checkpoint), encode(checkpoint, tree), lasting=True)

    def files(self) -> list[Path]:
        """Return the files, the oldest first."""
        return sorted(self._folder.glob(f"*{_SUFFIX}"))

    def _path(self, checkpoint: Checkpoint) -> Path:
        return self._folder / f"{checkpoint.time_ns:020d}-{checkpoint.id}{_SUFFIX}"
