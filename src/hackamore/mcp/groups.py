"""The process groups of running servers, and the guard that ends them if we are killed."""

import contextlib
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

_GUARD: Final = Path(__file__).with_name("guard.py")


class Groups:
    """Tells one guard process of every group; the guard lives while there is one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._groups: set[int] = set()
        self._guard: subprocess.Popen[str] | None = None

    def add(self, group: int) -> None:
        """Have `group` killed when this process dies."""
        with self._lock:
            self._groups.add(group)
            if self._guard is None or self._guard.poll() is not None:
                self._start()
            else:
                self._tell(f"+{group}\n")

    def remove(self, group: int) -> None:
        """Forget `group`, which is gone."""
        with self._lock:
            self._groups.discard(group)
            if self._guard is None:
                return
            self._tell(f"-{group}\n")
            if not self._groups:
                self._let_go()

    def _let_go(self) -> None:
        """Let the guard end; a thread waits for it, so that its end is taken note of."""
        guard, self._guard = self._guard, None
        if guard is None or guard.stdin is None:
            return
        with contextlib.suppress(OSError):
            guard.stdin.close()
        threading.Thread(target=guard.wait, daemon=True).start()

    def _start(self) -> None:
        self._let_go()
        self._guard = subprocess.Popen(  # noqa: S603  # our own script
            [sys.executable, "-I", "-S", str(_GUARD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )
        for group in self._groups:
            self._tell(f"+{group}\n")

    def _tell(self, line: str) -> None:
        if self._guard is None or self._guard.stdin is None:
            return
        with contextlib.suppress(OSError):
            self._guard.stdin.write(line)
            self._guard.stdin.flush()


GROUPS: Final = Groups()
"""The groups of this process."""
