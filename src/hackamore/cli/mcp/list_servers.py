"""``hackamore mcp list``: the configured servers, and how they are."""

import argparse
from typing import TYPE_CHECKING, Final

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.compose.mcp_overview import Glance

_MARKS: Final = {"ready": "✓", "idle": "·", "disabled": "·", "unapproved": "!"}


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "list",
        help="the configured servers, and how they are",
        description="List all servers: how each is reached, where it is configured, and, after "
        "connecting to all at once, how it is. Servers of a project that you have not agreed to "
        "are neither started nor contacted.",
        epilog="example: hackamore mcp list --no-connect",
    )
    parser.add_argument("--no-connect", action="store_true", help="only read the configuration")
    add_flags(parser)
    parser.set_defaults(command=_list)


def _list(parsed: argparse.Namespace) -> int:
    from hackamore.cli.mcp.using import Asked, connecting, perform, say_problems
    from hackamore.compose.mcp_json import problem_json
    from hackamore.compose.mcp_overview import overview
    from hackamore.compose.mcp_use import Outside, Place
    from hackamore.core.codes import EXIT_DONE
    from hackamore.core.json import JSONObject
    from hackamore.mcp.server import ServerStatus

    async def work(place: Place, outside: Outside) -> int:
        statuses: dict[str, ServerStatus] = {}
        if not parsed.no_connect:
            async with place.use(place.ready(), outside) as servers:
                with connecting(servers):
                    await servers.tools()
                statuses = servers.status()
        glances = overview(place, statuses)
        found: JSONObject = {
            "servers": [one.as_json() for one in glances],
            "problems": [problem_json(one) for one in place.config.problems],
        }
        Asked(parsed.json).show(found, _lines(glances))
        if not parsed.json:
            shown = {one.name for one in glances if one.state == "invalid"}
            say_problems(one for one in place.config.problems if one.server not in shown)
        return EXIT_DONE

    return perform(parsed, work)


def _lines(glances: "list[Glance]") -> list[str]:
    if not glances:
        return ["No MCP server is configured. `hackamore mcp add` adds one."]
    width = max(len(one.name) for one in glances)
    return [line for one in glances for line in _about(one, width)]


def _about(one: "Glance", width: int) -> list[str]:
    facts = [one.state, one.transport and f"{one.transport}: {one.reached}"]
    if one.tools is not None and one.state == "ready":
        facts.insert(1, f"{one.tools} tool{'' if one.tools == 1 else 's'}")
    facts.append(f"from {one.source}")
    line = f"{_MARKS.get(one.state, '✗')} {one.name.ljust(width)}  "
    more = [f"    {words}" for words in one.detail.splitlines()]
    return [line + " · ".join(fact for fact in facts if fact), *more]
