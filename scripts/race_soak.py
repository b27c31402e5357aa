"""Races a thread that swaps a folder for a link leading outside against reads and writes.

``scripts/race_soak.py [RACES]`` fails when one read brings what lies outside, or one write changes
it. Half of the races read and half write.
"""

import argparse
import asyncio
import collections
import ctypes
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hackamore.core.errors import WorkspaceError
from hackamore.core.workspace import Workspace
from hackamore.sandbox.opening import open_sandbox
from hackamore.sandbox.settings import SandboxSettings

_LIBC: Final = ctypes.CDLL(None)
_EXCHANGE: Final = 2
_SECRET: Final = b"outside"
_AT_ONCE: Final = 16


@contextmanager
def swapping(folder: Path, link: Path) -> Generator[None]:
    """Exchange two names, atomically, as fast as it goes."""
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            _LIBC.renameat2(-1, bytes(folder), -1, bytes(link), _EXCHANGE)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


async def race(workspace: Workspace, number: int) -> str:
    """Read or write once through the folder that is swapped; return how it ended."""
    try:
        if number % 2:
            await workspace.write(f"race/{number}.txt", b"inside", expected=None)
            return "written"
        data = (await workspace.read("race/file.txt")).data
    except WorkspaceError as error:
        return error.code.value
    return "LEAKED" if _SECRET in data else "read"


async def races(base: Path, count: int) -> collections.Counter[str]:
    """Run all races against one sandbox; return how often each ending came."""
    root, outside = base / "root", base / "outside"
    for folder, text in ((root / "race", b"inside"), (outside, _SECRET)):
        folder.mkdir(parents=True)
        (folder / "file.txt").write_bytes(text)
    (base / "link").symlink_to(outside)
    settings = SandboxSettings(str(root), ("/usr/bin",), str(Path.home()), str(base / "covers"))
    sandbox = await open_sandbox(settings)
    endings: collections.Counter[str] = collections.Counter()
    try:
        with swapping(root / "race", base / "link"):
            for start in range(0, count, _AT_ONCE):
                numbers = range(start, min(start + _AT_ONCE, count))
                endings.update(
                    await asyncio.gather(*(race(sandbox.workspace, one) for one in numbers))
                )
    finally:
        await sandbox.aclose()
    changed = [path.name for path in outside.iterdir()] != ["file.txt"]
    endings["LEAKED"] += changed or (outside / "file.txt").read_bytes() != _SECRET
    return endings


def main() -> int:
    """Race, and say what happened."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("races", nargs="?", type=int, default=100_000)
    count: int = parser.parse_args().races
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as base:
        endings = asyncio.run(races(Path(base).resolve(), count))
    print(f"{count:,} races in {time.monotonic() - started:.0f} s: {dict(endings)}")
    return 1 if endings["LEAKED"] else 0


if __name__ == "__main__":
    sys.exit(main())
