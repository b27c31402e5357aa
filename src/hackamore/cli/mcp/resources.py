"""``hackamore mcp resources``: what servers have to read."""

import argparse
from typing import TYPE_CHECKING

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.mcp.servers import Servers
    from hackamore.mcp.shapes import ResourceInfo


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "resources",
        help="the resources of a server, or of all",
        description="List resources and templates of resources ({…} is to be filled in).",
        epilog="example: hackamore mcp resources notes",
    )
    parser.add_argument("server", metavar="SERVER", nargs="?", help="default: all servers")
    add_flags(parser)
    parser.set_defaults(command=_resources)


def _resources(parsed: argparse.Namespace) -> int:
    from hackamore.cli.mcp.listing import Listing, show_listing
    from hackamore.compose.mcp_json import resource_json

    async def ask(servers: "Servers") -> "list[ResourceInfo]":
        return await servers.resources(parsed.server)

    return show_listing(parsed, Listing("resources", ask, _lines, resource_json))


def _lines(one: "ResourceInfo") -> list[str]:
    facts = [one.server, one.name if one.name != one.uri else "", one.media_type or ""]
    facts.append("template" if one.template else "")
    words = [f"    {line}" for line in one.description.splitlines()]
    return [f"{one.uri}  [{' · '.join(fact for fact in facts if fact)}]", *words]
