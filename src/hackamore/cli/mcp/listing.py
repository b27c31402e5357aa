"""What the actions share that list something of one server, or of all."""

from argparse import Namespace
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from hackamore.cli.mcp.using import Asked, connecting, perform, say_failures, say_problems
from hackamore.compose.mcp_use import Outside, Place
from hackamore.core.json import JSONObject
from hackamore.mcp.servers import Servers

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """A list of things.

    Attributes:
        name: What they are, in the plural; also their key in the JSON.
        ask: Asks the servers for them.
        lines: One of them for people.
        as_json: One of them for programs.
    """

    name: str
    ask: Callable[[Servers], Awaitable[Sequence[T]]]
    lines: Callable[[T], list[str]]
    as_json: Callable[[T], JSONObject]


def show_listing(parsed: Namespace, listing: Listing[T]) -> int:
    """Print the list; the exit status tells whether all servers could be had."""

    async def work(place: Place, outside: Outside) -> int:
        config = await place.agreed(parsed.server, outside.host)
        say_problems(config.problems)
        async with place.use(config, outside) as servers:
            with connecting(servers):
                things = await listing.ask(servers)
            lines = [line for one in things for line in listing.lines(one)]
            found: JSONObject = {listing.name: [listing.as_json(one) for one in things]}
            Asked(parsed.json).show(found, lines, f"No {listing.name}.")
            return say_failures(servers)

    return perform(parsed, work)
