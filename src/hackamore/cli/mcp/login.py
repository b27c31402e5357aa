"""``hackamore mcp login``: log in to a server in the browser."""

import argparse
from typing import TYPE_CHECKING

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "login",
        help="log in to a server in the browser",
        description="Log in to a server over HTTP that wants it. The login is kept in a file that "
        "only you can read, and renewed by itself.",
        epilog="example: hackamore mcp login docs",
    )
    parser.add_argument("server", metavar="SERVER")
    add_flags(parser)
    parser.set_defaults(command=_login)


def _login(parsed: argparse.Namespace) -> int:
    from dataclasses import replace

    from hackamore.cli.mcp.using import Asked, perform, say, say_problems
    from hackamore.cli.terminal.browser import open_page
    from hackamore.compose.mcp_use import Outside, Place
    from hackamore.core.codes import EXIT_DONE
    from hackamore.core.errors import UsageError

    server = parsed.server
    shown: list[str] = []

    def show(page: str) -> None:
        shown.append(page)
        say(f"Log in to {server} in your browser:\n{page}")
        open_page(page)

    async def work(place: Place, outside: Outside) -> int:
        config = await place.agreed(server, outside.host)
        say_problems(config.problems)
        entry = config.entries[0]
        if not place.logins.applies_to(entry):
            own = "a command gets what it needs by its `env`" if entry.command else "its `headers`"
            raise UsageError(
                f"There is no login to {server}: {own}"
                + ("." if entry.command else " hold an Authorization of their own.")
            )
        async with place.use(config, replace(outside, open_page=show)) as servers:
            await servers.connect(server)
        tokens = await place.logins.store_for(entry).get_tokens()
        state = "logged_in" if shown else "already_logged_in" if tokens else "not_wanted"
        words = {
            "logged_in": f"Logged in to {server}.",
            "already_logged_in": f"You are logged in to {server} already.",
            "not_wanted": f"{server} wants no login.",
        }
        Asked(parsed.json).show({"server": server, "login": state}, [words[state]])
        return EXIT_DONE

    return perform(parsed, work)
