"""Kills the process groups of MCP servers when the process that started them is gone.

Run as a script, by path, without the site packages: it must start at once and weigh little. It
reads ``+GROUP`` and ``-GROUP`` lines; when its stdin ends, whoever started it is dead or done, and
the groups that are left are killed.
"""

import contextlib
import os
import signal
import sys


def main() -> None:
    """Follow the list of groups until stdin ends, then kill what is on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line[0] == "+":
            groups.add(group)
        else:
            groups.discard(group)
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
