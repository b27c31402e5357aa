"""``hackamore mcp …``: the MCP servers that Hackamore uses. One file an action."""

import argparse
from typing import TYPE_CHECKING, Final

from hackamore.cli.mcp import (
    add,
    call,
    doctor,
    list_servers,
    login,
    logout,
    prompt,
    prompts,
    read,
    remove,
    resources,
    tools,
)

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

_ACTIONS: Final = (
    *(list_servers, tools, call, resources, read, prompts, prompt),
    *(add, remove, login, logout, doctor),
)


def add_to(commands: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command with its actions."""
    mcp = commands.add_parser(
        "mcp",
        help="add, remove and use MCP servers",
        description="MCP servers give tools, resources and prompts. They are configured in "
        "--mcp FILE, in .hackamore/mcp.json, .mcp.json and .vscode/mcp.json of the project, and "
        "in mcp.json of your configuration folder; the first to name a server wins.",
        epilog="examples: hackamore mcp add time -- uvx mcp-server-time, hackamore mcp list",
    )
    actions = mcp.add_subparsers(title="actions", metavar="ACTION", required=True)
    for module in _ACTIONS:
        module.add_to(actions)
