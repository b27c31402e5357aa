"""The flags of actions that use servers."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hackamore.core.errors import UsageError

if TYPE_CHECKING:
    from hackamore.compose.mcp_use import Place


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add them to an action."""
    parser.add_argument("--workspace", metavar="DIR", default=".", help="the project (default: .)")
    parser.add_argument(
        "--mcp",
        metavar="FILE",
        action="append",
        default=[],
        help="a file of MCP servers (mcpServers); may be given more than once",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def place_of(parsed: argparse.Namespace) -> "Place":
    """Return the servers that the flags name.

    Raises:
        UsageError: The workspace is no folder, or a file is not there.
    """
    from hackamore.compose.mcp_use import Place

    workspace = Path(parsed.workspace).expanduser()
    if not workspace.is_dir():
        raise UsageError(
            f"The workspace {parsed.workspace!r} is not a folder.", hint="See --workspace."
        )
    return Place(workspace.resolve(), [Path(name).expanduser() for name in parsed.mcp])
