"""``hackamore mcp remove``: a server less in your own file."""

import argparse
from typing import TYPE_CHECKING

from hackamore.cli.terminal.safe import visible
from hackamore.core.errors import UsageError

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    remove = actions.add_parser(
        "remove",
        help="remove a server",
        description="Remove a server from mcp.json in your configuration folder.",
        epilog="example: hackamore mcp remove time",
    )
    remove.add_argument("name", metavar="NAME", help="what you call it")
    remove.set_defaults(command=_remove)


def _remove(parsed: argparse.Namespace) -> int:
    from pathlib import Path

    from hackamore.compose.environment import read_environment
    from hackamore.compose.mcp_edit import remove_server
    from hackamore.compose.mcp_files import user_file

    environment = read_environment(Path.cwd())
    if not remove_server(environment, parsed.name):
        raise UsageError(
            f"There is no server {parsed.name!r} in {user_file(environment)}.",
            hint="Servers of a project stand in the project's own files.",
        )
    print(visible(f"Removed {parsed.name}."))
    return 0
