"""Lines from the keyboard, waited for in a way that can be cancelled."""

import asyncio
import sys
import termios


async def read_line(prompt: str) -> str | None:
    """Print `prompt` and return what is typed, or None at the end of the input.

    What was typed before the question was there is thrown away: it cannot be an answer to it.
    """
    if sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    sys.stderr.write(prompt)
    sys.stderr.flush()
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(sys.stdin, _wake, ready)
    try:
        await ready
    finally:
        loop.remove_reader(sys.stdin)
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


def _wake(ready: "asyncio.Future[None]") -> None:
    if not ready.done():
        ready.set_result(None)
