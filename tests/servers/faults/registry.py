"""All faults by name: what a server does wrong, or what its web site does."""

from collections.abc import Callable, Mapping
from typing import Final

from servers.faults import (
    asking,
    dying,
    listing,
    noise,
    results,
    silent,
    web_origins,
    web_sessions,
)
from servers.faults.http import Handler
from servers.faults.options import Options
from servers.faults.server import Server

SERVERS: Final[Mapping[str, Callable[[Options], Server]]] = {
    "none": Server,
    **dying.FAULTS,
    **silent.FAULTS,
    **noise.FAULTS,
    **listing.FAULTS,
    **asking.FAULTS,
    **results.FAULTS,
}
"""Over stdio or HTTP."""

SITES: Final[Mapping[str, type[Handler]]] = {**web_sessions.FAULTS, **web_origins.FAULTS}
"""Over HTTP only."""
