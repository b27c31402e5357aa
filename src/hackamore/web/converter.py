"""HTML made Markdown in a process of its own, which ends when its time does.

A page can be made so that a parser takes hours for it, and a thread cannot be stopped.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); from hackamore.web.markdown import main; main()"
)
_PARENT: Final = str(Path(__file__).resolve().parents[2])
_CONVERT: Final = (sys.executable, "-I", "-B", "-c", _START, _PARENT)
_SHOWN: Final = 200_000
_UNREADABLE: Final = "(The page could not be made readable; this is the beginning of its source.)"


class Converter:
    """Starts one process for each page, and leaves none behind."""

    def __init__(self, *, seconds: float = 10.0, argv: Sequence[str] = _CONVERT) -> None:
        """Take how long a page may take, and the program: HTML comes in, Markdown goes out."""
        self._seconds = seconds
        self._argv = tuple(argv)

    async def __call__(self, html: str, base: str) -> str:
        """Return a page as Markdown, or its source and a note when it cannot be made that.

        `base` is the page's address. Cancelling ends the process.

        Raises:
            OSError: The process cannot be started.
        """
        process = await asyncio.create_subprocess_exec(
            *self._argv, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env={}
        )
        try:
            async with asyncio.timeout(self._seconds):
                written, _ = await process.communicate(f"{base}\n{html}".encode("utf-8", "replace"))
        except TimeoutError:
            return _source(html)
        finally:
            await _ended(process)
        return written.decode("utf-8", "replace") if process.returncode == 0 else _source(html)


async def _ended(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.communicate()


def _source(html: str) -> str:
    return f"{_UNREADABLE}\n\n{html[:_SHOWN]}"
