"""``hackamore mcp tools``: what servers offer, in full."""

import argparse
from typing import TYPE_CHECKING

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.mcp.servers import Servers
    from hackamore.mcp.tool import McpTool


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "tools",
        help="the tools of a server, or of all",
        description="Show tools as models are told of them, with what their server claims. --json "
        "adds the schemas.",
        epilog="example: hackamore mcp tools time",
    )
    parser.add_argument("server", metavar="SERVER", nargs="?", help="default: all servers")
    add_flags(parser)
    parser.set_defaults(command=_tools)


def _tools(parsed: argparse.Namespace) -> int:
    from hackamore.cli.mcp.listing import Listing, show_listing
    from hackamore.compose.mcp_json import tool_json

    async def ask(servers: "Servers") -> "list[McpTool]":
        if parsed.server is not None:
            await servers.connect(parsed.server)
        return await servers.tools()

    return show_listing(parsed, Listing("tools", ask, _lines, tool_json))


def _lines(tool: "McpTool") -> list[str]:
    spec, listed = tool.spec, tool.listed
    claims = [
        words
        for claimed, words in (
            (listed.read_only, "read-only"),
            (listed.idempotent, "idempotent"),
            (listed.destructive, "destructive"),
            (listed.open_world, "reaches beyond itself"),
        )
        if claimed
    ]
    claim = f"; the server says: {', '.join(claims)}" if claims else ""
    own = "" if spec.name.endswith(f"__{listed.name}") else f" ({listed.name!r} on {spec.server})"
    title = [f"    {listed.title}"] if listed.title else []
    words = [f"    {line}" for line in listed.description.splitlines()]
    arguments = [f"      {line}" for line in _arguments(tool)]
    return [f"{spec.name}{own}  [{spec.effect}{claim}]", *title, *words, *arguments, ""]


def _arguments(tool: "McpTool") -> list[str]:
    lines: list[str] = []
    for name, schema in tool.spec.properties.items():
        kind = schema.get("type")
        facts = [kind] if isinstance(kind, str) else []
        if name in tool.spec.required:
            facts.append("required")
        about = schema.get("description")
        lines.append(
            name
            + (f" ({', '.join(facts)})" if facts else "")
            + (f": {' '.join(about.split())}" if isinstance(about, str) else "")
        )
    return lines
