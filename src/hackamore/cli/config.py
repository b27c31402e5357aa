"""``hackamore config show``: what holds, and where each value comes from."""

import argparse
import json
from typing import TYPE_CHECKING

from hackamore.core.errors import UsageError

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]


def add_to(commands: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    config = commands.add_parser(
        "config",
        help="show the configuration and its sources",
        description="Settings come from config.toml in your configuration folder, then from "
        ".hackamore/config.toml in the project, which may only narrow.",
        epilog="example: hackamore config show --workspace ~/project",
    )
    actions = config.add_subparsers(title="actions", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="print what holds and where it comes from")
    show.add_argument("--workspace", metavar="DIR", default=".", help="the project (default: .)")
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(command=_show)


def _show(parsed: argparse.Namespace) -> int:
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table

    from hackamore.compose.holding import what_holds

    workspace = Path(parsed.workspace)
    if not workspace.is_dir():
        raise UsageError(f"The workspace {parsed.workspace!r} is not a folder.")
    rows = what_holds(workspace.resolve())
    if parsed.json:
        fields = ("key", "value", "source")
        print(json.dumps([dict(zip(fields, row, strict=True)) for row in rows], indent=2))
        return 0
    table = Table("key", "value", "from", box=None)
    for key, value, source in rows:
        table.add_row(key, json.dumps(value, ensure_ascii=False), source)
    Console().print(table)
    return 0
