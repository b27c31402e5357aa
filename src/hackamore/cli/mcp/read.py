"""``hackamore mcp read``: one resource, as it is."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.core.content import Content


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "read",
        help="read a resource",
        description="Print what a resource holds. Where stdout is no terminal it is written as it "
        "is, byte for byte.",
        epilog="example: hackamore mcp read notes notes://today > today.md",
    )
    parser.add_argument("server", metavar="SERVER")
    parser.add_argument("uri", metavar="URI")
    add_flags(parser)
    parser.set_defaults(command=_read)


def _read(parsed: argparse.Namespace) -> int:
    from hackamore.cli.mcp.using import perform, print_json, say_problems, told_when_slow
    from hackamore.compose.mcp_json import content_json
    from hackamore.compose.mcp_use import Outside, Place
    from hackamore.core.codes import EXIT_DONE

    server, uri = parsed.server, parsed.uri

    async def work(place: Place, outside: Outside) -> int:
        config = await place.agreed(server, outside.host)
        say_problems(config.problems)
        async with place.use(config, outside) as servers:
            with told_when_slow(f"Waiting for {uri} from {server}; Ctrl-C ends it."):
                parts = await servers.read_resource(server, uri)
        if parsed.json:
            contents = [content_json(part) for part in parts]
            print_json({"server": server, "uri": uri, "contents": contents})
        else:
            _print(parts)
        return EXIT_DONE

    return perform(parsed, work)


def _print(parts: "Sequence[Content]") -> None:
    from hackamore.cli.terminal.safe import visible
    from hackamore.core.content import BlobResource, TextResource
    from hackamore.mcp.results import describe

    for part in parts:
        match part:
            case TextResource(text=text) if sys.stdout.isatty():
                print(visible(text))
            case TextResource(text=text):
                sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
            case BlobResource(data=data) if not sys.stdout.isatty():
                sys.stdout.buffer.write(data)
            case _:
                print(visible(describe(part)), file=sys.stderr)
    sys.stdout.flush()
