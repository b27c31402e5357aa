"""``hackamore``: find the command, run it, and turn what went wrong into words and a status."""

import argparse
import io
import sys
from collections.abc import Callable, Sequence
from typing import Final

from hackamore.cli import checkpoints, config, mcp, models, prompt, run
from hackamore.cli.terminal.safe import visible
from hackamore.cli.version import version
from hackamore.core.codes import EXIT_CANCELLED, exit_status
from hackamore.core.errors import HackamoreError

_COMMANDS: Final = (run, prompt, models, mcp, checkpoints, config)
_DESCRIPTION: Final = "A coding agent that stays in your hands: it shows every step and asks."
_EPILOG: Final = """\
examples:
  hackamore fix                         make the failing tests of this project pass
  hackamore run "add a --verbose flag"  work on a task, asking before each change
  hackamore ask "where is the config read?"
  hackamore models list                 what could think for it here

exit status: 0 done, 1 failed, 2 wrong usage, 3 not allowed, 4 model or key missing, 130 cancelled
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    _never_fail_to_encode()
    parser = _parser()
    parsed = parser.parse_args(arguments)
    command: Callable[[argparse.Namespace], int] | None = getattr(parsed, "command", None)
    if command is None:
        parser.print_help()
        return exit_status(None)
    try:
        return command(parsed)
    except HackamoreError as error:
        print(f"hackamore: {visible(str(error))}", file=sys.stderr)
        return exit_status(error.code)
    except KeyboardInterrupt:
        return EXIT_CANCELLED
    except BrokenPipeError:
        # Whoever read the output has gone; there is nobody left to tell.
        sys.stderr.close()
        return exit_status(None)


def _never_fail_to_encode() -> None:
    """Let the output replace what it cannot encode: a model may send any code point."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="hackamore",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"hackamore {version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for module in _COMMANDS:
        module.add_to(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
