"""``hackamore mcp prompts``: the prompts that servers have ready."""

import argparse
from typing import TYPE_CHECKING

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.mcp.shapes import PromptInfo


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "prompts",
        help="the prompts of a server, or of all",
        description="List the prompts that servers have ready, with their arguments.",
        epilog="example: hackamore mcp prompts",
    )
    parser.add_argument("server", metavar="SERVER", nargs="?", help="default: all servers")
    add_flags(parser)
    parser.set_defaults(command=_prompts)


def _prompts(parsed: argparse.Namespace) -> int:
    from hackamore.cli.mcp.listing import Listing, show_listing
    from hackamore.compose.mcp_json import prompt_json

    return show_listing(
        parsed,
        Listing("prompts", lambda servers: servers.prompts(parsed.server), _lines, prompt_json),
    )


def _lines(one: "PromptInfo") -> list[str]:
    words = [line for text in (one.title, one.description) for line in text.splitlines()]
    arguments = [
        f"  {argument.name}"
        + (" (required)" if argument.required else "")
        + (f": {argument.description}" if argument.description else "")
        for argument in one.arguments
    ]
    return [f"{one.name}  [{one.server}]", *(f"    {line}" for line in (*words, *arguments))]
