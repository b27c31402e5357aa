"""``hackamore mcp call``: one call of one tool."""

import argparse
import mimetypes
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.core.tools import ToolOutput


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "call",
        help="call a tool",
        description="Call a tool by its server's and its own name, without asking first. The exit "
        "status is 1 when the tool says that it failed.",
        epilog="""example: hackamore mcp call time get_current_time '{"timezone": "UTC"}'""",
    )
    parser.add_argument("server", metavar="SERVER")
    parser.add_argument("tool", metavar="TOOL")
    parser.add_argument(
        "arguments", metavar="JSON", nargs="?", help="an object, or - for stdin; default: {}"
    )
    parser.add_argument(
        "--out", metavar="DIR", help="where images, sounds and other bytes of the result are kept"
    )
    add_flags(parser)
    parser.set_defaults(command=_call)


def _call(parsed: argparse.Namespace) -> int:
    from hackamore.cli.mcp.given import read_object
    from hackamore.cli.mcp.using import (
        Asked,
        Work,
        prepare_and_perform,
        say,
        say_problems,
        told_when_slow,
    )
    from hackamore.compose.mcp_json import output_json
    from hackamore.compose.mcp_use import Outside, Place
    from hackamore.core.codes import EXIT_DONE, EXIT_FAILED, Code
    from hackamore.core.errors import UsageError
    from hackamore.core.ids import new_id
    from hackamore.core.json import JSONObject
    from hackamore.core.tools import ToolContext

    server, tool = parsed.server, parsed.tool

    def prepare() -> Work:
        given = read_object(parsed.arguments)
        return partial(work, given)

    async def work(given: JSONObject, place: Place, outside: Outside) -> int:
        config = await place.agreed(server, outside.host)
        say_problems(config.problems)
        context = ToolContext(new_id("call"), outside.tell, outside.host)
        async with place.use(config, outside) as servers:
            with told_when_slow(f"Waiting for {tool} on {server}; Ctrl-C ends it."):
                output = await servers.call(server, tool, given, context)
        if output.code is Code.UNKNOWN_TOOL:
            raise UsageError(output.text)
        for path in _kept(output, parsed.out):
            say(f"Wrote {path}.")
        Asked(parsed.json).show(output_json(server, tool, output), [output.text])
        return EXIT_FAILED if output.is_error else EXIT_DONE

    return prepare_and_perform(parsed, prepare)


def _kept(output: "ToolOutput", folder: str | None) -> list[Path]:
    """Write the bytes of a result into a folder and return the files.

    Raises:
        UsageError: The folder cannot be written.
    """
    from hackamore.core.content import Audio, BlobResource
    from hackamore.core.errors import UsageError
    from hackamore.core.messages import Image

    if folder is None:
        return []
    paths: list[Path] = []
    try:
        for part in output.content:
            if isinstance(part, Image | Audio | BlobResource):
                ending = mimetypes.guess_extension(part.media_type or "") or ".bin"
                path = Path(folder).expanduser() / f"{len(paths) + 1}{ending}"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(part.data)
                paths.append(path)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}.") from error
    return paths
