"""``hackamore run | fix | generate-tests | explain | ask``: one task, watched to its end."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from hackamore.cli.flags import add_flags, options_of

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

_TASKS: Final = (
    ("fix", "make failing tests pass, or change nothing", 'hackamore fix "the rounding is off"'),
    (
        "generate_tests",
        "write tests that pass, and fail when the code is broken; or change nothing",
        "hackamore generate-tests src/app.py",
    ),
    ("explain", "explain code of this project", "hackamore explain src/app.py"),
    ("ask", "answer a question about this project", 'hackamore ask "where are users stored?"'),
)


def add_to(commands: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands."""
    run = commands.add_parser(
        "run",
        help="work on a task",
        description="Work on a task in this project, showing every step.",
        epilog='example: hackamore run --approve edits "rename Foo to Bar everywhere"',
    )
    run.add_argument("request", metavar="TASK", help="what to do, in your words")
    add_flags(run)
    run.set_defaults(command=_command(None))
    for name, description, example in _TASKS:
        parser = commands.add_parser(
            name.replace("_", "-"),
            help=description,
            description=description,
            epilog=f"example: {example}",
        )
        parser.add_argument("request", nargs="?", default="", help="more words, if any")
        add_flags(parser)
        parser.set_defaults(command=_command(name))


def _command(task: str | None) -> Callable[[argparse.Namespace], int]:
    def command(parsed: argparse.Namespace) -> int:
        from hackamore.cli.watch import Watched, watch

        return watch(Watched(options_of(parsed), task, parsed.request, parsed.json))

    return command
