"""The first process inside the sandbox, held by a descriptor: when it has ended, all have."""

import asyncio
import contextlib
import os

from hackamore.sandbox.worker.processes import descendants


class FirstProcess:
    """Process 1 of a sandbox's own process table.

    The kernel ends every process of the table before it lets this one go.
    """

    def __init__(self, outer: int) -> None:
        """Find it below `outer`, the process that was started."""
        below = descendants(outer)
        self._descriptor: int | None = None
        if below:
            with contextlib.suppress(OSError):
                self._descriptor = os.pidfd_open(below[0])

    async def wait_ended(self, seconds: float) -> None:
        """Wait until it has ended, at most `seconds`."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()
        loop.add_reader(descriptor, ended.set)
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), seconds)
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)
