"""``hackamore mcp doctor``: what is wrong with the servers, and what to do."""

import argparse
from typing import TYPE_CHECKING, Final

from hackamore.cli.mcp.flags import add_flags

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.compose.mcp_doctor import Finding

_MARKS: Final = {"ok": "✓", "note": "!", "broken": "✗"}


def add_to(actions: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the action."""
    parser = actions.add_parser(
        "doctor",
        help="what is wrong with the servers, and what to do",
        description="Look at the files, the commands, the connections, the tools and the logins of "
        "all servers. The exit status is 1 when something is broken.",
        epilog="example: hackamore mcp doctor --workspace ~/project",
    )
    add_flags(parser)
    parser.set_defaults(command=_doctor)


def _doctor(parsed: argparse.Namespace) -> int:
    from dataclasses import replace

    from hackamore.cli.mcp.using import Asked, connecting, perform
    from hackamore.compose.mcp_doctor import (
        count,
        in_order,
        look_at_entries,
        look_at_files,
        look_at_servers,
    )
    from hackamore.compose.mcp_use import Outside, Place
    from hackamore.core.codes import EXIT_DONE, EXIT_FAILED
    from hackamore.core.events import Event

    async def work(place: Place, outside: Outside) -> int:
        told: list[Event] = []
        files, findings = [*look_at_files(place)], [*look_at_entries(place)]
        async with place.use(place.ready(), replace(outside, tell=told.append)) as servers:
            with connecting(servers):
                findings += await look_at_servers(place, servers, told)
        findings = [*files, *in_order(findings, place)]
        counts = count(findings)
        found = {
            "findings": [one.as_json() for one in findings],
            "broken": counts["broken"],
            "notes": counts["note"],
        }
        lines = [line for one in findings for line in _lines(one)]
        Asked(parsed.json).show(found, [*lines, _summary(counts["broken"], counts["note"])])
        return EXIT_FAILED if counts["broken"] else EXIT_DONE

    return perform(parsed, work)


def _lines(one: "Finding") -> list[str]:
    first, *rest = one.what.splitlines() or [""]
    more = [*rest, *([one.todo] if one.todo else [])]
    return [f"{_MARKS[one.verdict]} {one.about}: {first}", *(f"    {line}" for line in more)]


def _summary(broken: int, notes: int) -> str:
    if not broken:
        return "Nothing is broken." if not notes else f"Nothing is broken; {notes} to note."
    return f"{broken} broken, {notes} to note."
