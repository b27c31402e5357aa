"""``hackamore-fake-provider FILE``: serve a script until it is stopped."""

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from hackamore.core.codes import exit_status
from hackamore.core.errors import HackamoreError
from hackamore.testing.fake_provider.script import load_script
from hackamore.testing.fake_provider.server import FakeProvider


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve; the base URL is the only line on stdout."""
    parser = argparse.ArgumentParser(
        prog="hackamore-fake-provider",
        description="An OpenAI-compatible server on loopback that answers from a script.",
        epilog="example: hackamore-fake-provider answers.json --port 8123",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the script, as JSON")
    parser.add_argument("--port", type=int, default=0, help="default: a free port")
    parser.add_argument("--log", type=Path, metavar="FILE", help="add each request to this file")
    parser.add_argument("--until-eof", action="store_true", help="stop when stdin ends")
    parsed = parser.parse_args(arguments)
    try:
        provider = FakeProvider(load_script(parsed.file), port=parsed.port, log=parsed.log)
    except HackamoreError as error:
        print(f"hackamore-fake-provider: {error}", file=sys.stderr)
        return exit_status(error.code)
    except OSError as error:
        print(f"hackamore-fake-provider: cannot listen: {error}", file=sys.stderr)
        return 1
    with provider:
        print(provider.base_url, flush=True)
        _wait(until_eof=parsed.until_eof)
    return 0


def _wait(*, until_eof: bool) -> None:
    """Wait for SIGINT or SIGTERM or, when asked, for the end of stdin."""
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    if until_eof:
        threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
    stop.wait()


if __name__ == "__main__":
    sys.exit(main())
