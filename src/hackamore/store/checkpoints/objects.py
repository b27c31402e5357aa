"""Contents of files by their SHA-256, compressed. What is there whole is not written again."""

import hashlib
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError
from hackamore.store.checkpoints.files import write_whole

_LASTING: Final = 64
"""So many objects are waited for; of more, only a power cut can lose some, which `read` notices."""


class Objects:
    """The contents below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written = 0

    def add(self, data: bytes) -> str:
        """Keep a content and return its key."""
        key = hashlib.sha256(data).hexdigest()
        path = self._path(key)
        if not self._is_whole(key):
            self._written += 1
            write_whole(path, zlib.compress(data, 1), lasting=self._written <= _LASTING)
        return key

    def read(self, key: str) -> bytes:
        """Return a content.

        Raises:
            WorkspaceError: It is missing or damaged.
        """
        try:
            data = zlib.decompress(self._path(key).read_bytes())
        except (OSError, zlib.error) as error:
            raise _damaged() from error
        if hashlib.sha256(data).hexdigest() != key:
            raise _damaged()
        return data

    def size(self) -> int:
        """Return how many bytes all of them take."""
        return sum(path.stat().st_size for path in self._folder.glob("*/*"))

    def keep_only(self, keys: Collection[str]) -> None:
        """Remove every other object, and drafts of killed writers. Only for who holds the lock."""
        for path in self._folder.glob("*/*"):
            if path.parent.name + path.name not in keys:
                path.unlink(missing_ok=True)

    def _is_whole(self, key: str) -> bool:
        try:
            self.read(key)
        except WorkspaceError:
            return False
        return True

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:]


def _damaged() -> WorkspaceError:
    return WorkspaceError(
        "A content of this checkpoint is damaged, so that file stays as it is.",
        hint="Restore an earlier checkpoint of it, or restore it from version control.",
        code=Code.INTERNAL,
    )
