"""What servers may ask of the one who uses them, and whom to tell what happens."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

import mcp_types as types

from hackamore.core.elicitation import ElicitationAnswer, ElicitationRequest
from hackamore.core.events import Event

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
