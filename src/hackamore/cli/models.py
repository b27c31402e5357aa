"""``hackamore models list | install | remove``: what can think here."""

import argparse
import asyncio
import json
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    Commands: TypeAlias = _SubParsersAction[argparse.ArgumentParser]


def add_to(commands: "Commands") -> None:
    """Add the commands."""
    models = commands.add_parser(
        "models",
        help="list, install or remove models",
        description="What can think for Hackamore here: keys, model servers, embedded models.",
        epilog="example: hackamore models install qwen2.5-coder-1.5b",
    )
    actions = models.add_subparsers(title="actions", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="what is there, and what can be fetched")
    listed.add_argument("--json", action="store_true", help="print JSON")
    listed.set_defaults(command=_list)
    for name, words in (("install", "fetch a model"), ("remove", "remove a fetched model")):
        action = actions.add_parser(name, help=words)
        action.add_argument("name", metavar="MODEL", help="such as qwen2.5-coder-1.5b")
        action.set_defaults(command=_install if name == "install" else _remove)


def _list(parsed: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.table import Table

    from hackamore.compose.inventory import take_inventory

    rows = asyncio.run(take_inventory())
    if parsed.json:
        fields = ("model", "state", "about")
        print(json.dumps([dict(zip(fields, row, strict=True)) for row in rows], indent=2))
        return 0
    table = Table("model", "state", "about", box=None)
    for row in rows:
        table.add_row(*row)
    Console().print(table)
    return 0


def _install(parsed: argparse.Namespace) -> int:
    from pathlib import Path

    from rich.console import Console

    from hackamore.cli.terminal.fetching import TerminalFetching
    from hackamore.compose.embedded import fetch
    from hackamore.compose.environment import read_environment
    from hackamore.local.install import known

    fetching = TerminalFetching(Console(stderr=True), yes=True)
    path = asyncio.run(fetch(known(parsed.name), read_environment(Path.cwd()), fetching))
    print(path)
    return 0


def _remove(parsed: argparse.Namespace) -> int:
    from pathlib import Path

    from hackamore.compose.embedded import model_cache
    from hackamore.compose.environment import read_environment
    from hackamore.local.install import known, remove

    there = remove(known(parsed.name), model_cache(read_environment(Path.cwd())))
    print(f"Removed {parsed.name}." if there else f"{parsed.name} was not installed.")
    return 0
