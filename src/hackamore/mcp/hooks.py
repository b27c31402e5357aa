"""What servers may ask of the one who uses them, and whom to tell what happens."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import mcp_types as types

from hackamore.core.elicitation import ElicitationAnswer, ElicitationRequest
from hackamore.core.events import Event

_LOG: Final = logging.getLogger(__name__)

Elicit: TypeAlias = Callable[[ElicitationRequest], Awaitable[ElicitationAnswer]]
"""Asks the person."""
Sample: TypeAlias = Callable[
    [str, types.CreateMessageRequestParams],
    Awaitable[types.CreateMessageResult | types.CreateMessageResultWithTools | types.ErrorData],
]
"""Has the run's model answer a server's question, once a person has allowed it."""
Tell: TypeAlias = Callable[[Event], None]
"""Takes `ServerChanged` and `ServerLogged`; returns at once."""


def _nobody(event: Event) -> None:
    del event


def guarded(tell: Tell) -> Tell:
    """Return `tell` that never raises: a watcher's fault must not end what it watches."""

    def safely(event: Event) -> None:
        try:
            tell(event)
        except Exception:  # noqa: BLE001  # a program's own function can raise anything
            _LOG.exception("a watcher of MCP servers failed")

    return safely


@dataclass(frozen=True, slots=True)
class Hooks:
    """The outside of all servers.

    Attributes:
        tell: Whom to tell of states and logs.
        elicit: Whom to ask; None tells servers that nobody can be asked.
        sample: Who answers as a model; None (the default) tells servers that nobody does.
        roots: Folders that servers are told of when they ask, as absolute paths.
    """

    tell: Tell = _nobody
    elicit: Elicit | None = None
    sample: Sample | None = None
    roots: tuple[str, ...] = ()
