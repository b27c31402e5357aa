"""What is known of one request on its way through a transport.

The SDK sends each message in the context of whoever asked. So a context variable, set around one
request, is how that request's own headers get to the wire, and how we learn what became of it.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Literal

from hackamore.core.errors import MCPError


@dataclass(slots=True)
class Trace:
    """One request.

    Attributes:
        headers: Sent with it, besides those of its server.
        status: The HTTP status of its answer; None when none came.
        words: What a refusal said, for people.
        network: What went wrong on the way: it surely did not arrive, or its answer broke off.
        session: It named a session that the server had given.
        begins: Where it begins in all that was written to the server's stdin, in bytes.
        writes: How many messages were written for it.
        login: Why nobody could be logged in for it, where that was tried.
    """

    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    status: int | None = None
    words: str = ""
    network: Literal["", "not_sent", "cut_off"] = ""
    session: bool = False
    begins: int = 0
    writes: int = 0
    login: MCPError | None = None


TRACE: Final[ContextVar[Trace | None]] = ContextVar("hackamore_mcp_trace", default=None)
"""The request that is being made in this context."""
