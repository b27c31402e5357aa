"""Putting proved tests into the project, where they must pass as well."""

import shlex
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
            await despite_cancel(place.restore(path))
    return FileChange(path, None, text) if green else None
