"""``hackamore mcp prompt``: one prompt, filled in by its server."""

import argparse
from functools import partial
from typing import TYPE_CHECKING

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.core.json import JSON


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "prompt",
        help="have a prompt filled in",
        description="Print the messages of a prompt.",
        epilog="""example: hackamore mcp prompt notes summary '{"day": "today"}'""",
    )
    parser.add_argument("server", metavar="SERVER")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument(
        "arguments", metavar="JSON", nargs="?", help="an object of texts, or - for stdin"
    )
    add_flags(parser)
    parser.set_defaults(command=_prompt)


def _prompt(parsed: argparse.Namespace) -> int:
    from hackamore.cli.mcp.given import read_object
    from hackamore.cli.mcp.using import (
        Asked,
        Work,
        prepare_and_perform,
        say_problems,
        told_when_slow,
    )
    from hackamore.compose.mcp_json import message_json
    from hackamore.compose.mcp_use import Outside, Place
    from hackamore.core.codes import EXIT_DONE
    from hackamore.mcp.results import describe

    server, name = parsed.server, parsed.name

    def prepare() -> Work:
        found = read_object(parsed.arguments)
        return partial(work, {key: _text(key, value) for key, value in found.items()})

    async def work(given: dict[str, str], place: Place, outside: Outside) -> int:
        config = await place.agreed(server, outside.host)
        say_problems(config.problems)
        async with place.use(config, outside) as servers:
            with told_when_slow(f"Waiting for {name} from {server}; Ctrl-C ends it."):
                messages = await servers.get_prompt(server, name, given)
        found = [message_json(message) for message in messages]
        lines = [f"{one.role}: {describe(one.content)}" for one in messages]
        Asked(parsed.json).show({"server": server, "name": name, "messages": [*found]}, lines)
        return EXIT_DONE

    return prepare_and_perform(parsed, prepare)


def _text(name: str, value: "JSON") -> str:
    """Return the value of a prompt's argument, which is always a text.

    Raises:
        UsageError: It is none.
    """
    from hackamore.core.errors import UsageError

    if not isinstance(value, str):
        raise UsageError(f"The argument {name!r} of a prompt is a text; put it in quotes.")
    return value
