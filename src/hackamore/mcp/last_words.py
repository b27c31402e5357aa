"""What a server last wrote to stderr: kept for the error; always read, so that it never blocks."""

import asyncio
import os
from collections import deque
from typing import Final

from hackamore.mcp.visible import visible

_CHUNK: Final = 64 * 1024
_KEPT_LINES: Final = 8
_LONGEST_LINE: Final = 500


class LastWords:
    """Reads a non-blocking descriptor to its end and keeps the last lines."""

    def __init__(self, descriptor: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._descriptor = descriptor
        self._lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._begun = b""
        self._reading = True
        self._loop.add_reader(descriptor, self._readable)

    def text(self) -> str:
        """Return the last lines that hold something."""
        begun = _shown(self._begun)
        return "\n".join(line for line in (*self._lines, begun) if line)

    def drain(self) -> None:
        """Take what is there now."""
        while self._reading and self._readable():
            pass

    def close(self) -> None:
        """Read no more."""
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._descriptor)

    def _readable(self) -> bool:
        try:
            chunk = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        if not chunk:
            self.close()
            return False
        *lines, begun = (self._begun + chunk).split(b"\n")
        self._begun = begun[-_LONGEST_LINE:]
        self._lines.extend(_shown(line) for line in lines[-_KEPT_LINES:])
        return True


def _shown(line: bytes) -> str:
    return visible(line[-_LONGEST_LINE:].decode("utf-8", "replace")).rstrip()
