"""Putting proved tests into the project, where they must pass as well."""

import shlex
from pathlib import PurePosixPath
from typing import Final

from hackamore.agent.recipes.proving import Subject
from hackamore.agent.recipes.trial import despite_cancel
from hackamore.agent.recipes.workplace import Workplace
from hackamore.core.changes import FileChange

_SECONDS: Final = 60


async def keep(place: Workplace, subject: Subject, path: str, text: str) -> FileChange | None:
    """Write the new file and run it there; when it is not green, remove it and return None.

    Cancelling removes it first, too.

    Raises:
        CallFailed: A call was denied or failed.
    """
    await place.write(path, text)
    green = False
    try:
        line = (
            f"{subject.interpreter} -m pytest -q --tb=short -p no:cacheprovider {shlex.quote(path)}"
        )
        green = (await place.run(line, _SECONDS)).green
    finally:
        if not green:
            await despite_cancel(_remove(place, path))
    return FileChange(path, None, text) if green else None


async def _remove(place: Workplace, path: str) -> None:
    """Remove the file, and the folder if that is empty now."""
    folder = shlex.quote(str(PurePosixPath(path).parent))
    line = f"rm -f -- {shlex.quote(path)}; rmdir -- {folder} 2>/dev/null || true"
    await place.run(line, _SECONDS)
