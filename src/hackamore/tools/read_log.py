"""What this session's tools last saw of each file, so that no one else's change is overwritten."""

import difflib
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError

_MAX_FILES: Final = 2000
_MAX_KEPT: Final = 256 * 1024
_MAX_SHOWN: Final = 40


class ReadLog:
    """Remembers the bytes of files as the model last saw or wrote them."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, str | None]] = {}

    def note(self, path: str, data: bytes, text: str) -> None:
        """Remember what the model has seen or written; the resolved path counts."""
        self._seen.pop(path, None)
        self._seen[path] = (hash(data), text if len(text) <= _MAX_KEPT else None)
        while len(self._seen) > _MAX_FILES:
            del self._seen[next(iter(self._seen))]

    def forget(self, path: str) -> None:
        """Forget a file that is gone."""
        self._seen.pop(path, None)

    def check(self, path: str, data: bytes, text: str) -> None:
        """Refuse to go on when the file is not as the model last saw it.

        A file that was never read passes: an edit's SEARCH proves what the model knows, and an
        overwrite shows its difference to the person who is asked.

        Raises:
            WorkspaceError: STALE_SNAPSHOT, with the difference.
        """
        seen = self._seen.get(path)
        if seen is None or seen[0] == hash(data):
            return
        raise WorkspaceError(
            f"{path} changed since you read it.{_difference(path, seen[1], text)}",
            hint="Read it again before you change it.",
            code=Code.STALE_SNAPSHOT,
        )


def _difference(path: str, before: str | None, after: str) -> str:
    if before is None:
        return ""
    lines = list(
        difflib.unified_diff(
            before.splitlines(), after.splitlines(), f"{path} as you read it", path, "", "", 1, ""
        )
    )
    more = f"\n… {len(lines) - _MAX_SHOWN} more lines" if len(lines) > _MAX_SHOWN else ""
    return " What changed:\n" + "\n".join(lines[:_MAX_SHOWN]) + more
