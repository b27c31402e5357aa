"""``hackamore mcp add``: a server more in your own file, or all of another client's."""

import argparse
from typing import TYPE_CHECKING, Final

from hackamore.cli.terminal.safe import visible
from hackamore.core.errors import UsageError
from hackamore.core.json import JSON

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

_EPILOG: Final = """\
examples:
  hackamore mcp add time -- uvx mcp-server-time --local-timezone Europe/Berlin
  hackamore mcp add docs https://example.com/mcp --header 'Authorization: Bearer ${DOCS_TOKEN}'
  hackamore mcp add --from ~/.config/Claude/claude_desktop_config.json
"""


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    add = actions.add_parser(
        "add",
        help="add a server, or take over another client's",
        description="Add a server to mcp.json in your configuration folder.",
        epilog=_EPILOG,
        usage="hackamore mcp add [flags] NAME (URL | -- COMMAND [ARG ...])\n"
        "       hackamore mcp add --from FILE",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    name = add.add_argument("name", metavar="NAME", help="what you call it")
    target = add.add_argument(
        "target", metavar="TARGET", nargs="+", help="its url, or after -- its command and arguments"
    )
    # Neither is needed with --from. As nargs="?" and "*" they would not let flags stand between.
    name.required = target.required = False
    add.add_argument(
        "--env", metavar="NAME=VALUE", action="append", default=[], help="for its environment"
    )
    add.add_argument(
        "--header", metavar="NAME: VALUE", action="append", default=[], help="for each request"
    )
    add.add_argument(
        "--type", metavar="T", choices=("stdio", "http", "sse"), help="how it is reached"
    )
    add.add_argument(
        "--from",
        metavar="FILE",
        dest="source",
        help="take over the servers of Cline's, Claude's, VS Code's or another client's file",
    )
    add.set_defaults(command=_add)


def _add(parsed: argparse.Namespace) -> int:
    if parsed.source is not None:
        if parsed.name is not None:
            raise UsageError("--from takes over all servers of a file; leave the name out.")
        return _take_over(parsed.source)
    if parsed.name is None or not parsed.target:
        raise UsageError("A server needs a name, and a url or a command.", hint="See --help.")
    return _add_one(parsed.name, _entry(parsed))


def _add_one(name: str, entry: dict[str, JSON]) -> int:
    from pathlib import Path

    from hackamore.compose.environment import read_environment
    from hackamore.compose.mcp_edit import add_server

    path = add_server(read_environment(Path.cwd()), name, entry)
    print(visible(f"Added {name} to {path}."))
    return 0


def _take_over(source: str) -> int:
    from pathlib import Path

    from hackamore.compose.environment import read_environment
    from hackamore.compose.mcp_edit import take_over

    over = take_over(read_environment(Path.cwd()), Path(source).expanduser())
    for name in over.taken:
        print(visible(f"Added {name}."))
    for problem in over.left:
        print(visible(f"{'Note' if problem.warning else 'Left out'}: {problem}"))
    return 0 if over.taken or not any(not one.warning for one in over.left) else 1


def _entry(parsed: argparse.Namespace) -> dict[str, JSON]:
    """Return the flags as an entry of the file."""
    first, *rest = parsed.target
    entry: dict[str, JSON] = {"type": parsed.type} if parsed.type else {}
    if first.startswith(("http://", "https://")):
        if rest or parsed.env:
            raise UsageError("A url takes neither arguments nor --env.")
        entry["url"] = first
    else:
        if parsed.header:
            raise UsageError("A command takes no --header.")
        entry["command"] = first
    if rest:
        entry["args"] = rest
    if parsed.env:
        entry["env"] = _pairs("--env", parsed.env, "=")
    if parsed.header:
        entry["headers"] = _pairs("--header", parsed.header, ":")
    return entry


def _pairs(flag: str, given: list[str], mark: str) -> dict[str, JSON]:
    pairs: dict[str, JSON] = {}
    for one in given:
        name, found, value = one.partition(mark)
        if not found or not name.strip():
            raise UsageError(f"{flag} takes NAME{mark}VALUE, not {one!r}.")
        pairs[name.strip()] = value.strip() if mark == ":" else value
    return pairs
