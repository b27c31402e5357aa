"""``hackamore mcp logout``: forget the login to a server."""

import argparse
from typing import TYPE_CHECKING

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "logout",
        help="forget the login to a server",
        description="Forget the login to a server: its tokens are removed from this machine.",
        epilog="example: hackamore mcp logout docs",
    )
    parser.add_argument("server", metavar="SERVER")
    add_flags(parser)
    parser.set_defaults(command=_logout)


def _logout(parsed: argparse.Namespace) -> int:
    from hackamore.cli.mcp.using import Asked, perform
    from hackamore.compose.mcp_use import Outside, Place
    from hackamore.core.codes import EXIT_DONE

    server = parsed.server

    async def work(place: Place, outside: Outside) -> int:
        del outside
        entry = place.entry(server)
        forgotten = bool(entry.url) and place.logins.store_for(entry).forget()
        words = f"Logged out of {server}." if forgotten else f"There was no login to {server}."
        Asked(parsed.json).show({"server": server, "logged_out": forgotten}, [words])
        return EXIT_DONE

    return perform(parsed, work)
