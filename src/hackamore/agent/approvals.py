"""Approvals: what the person has said beforehand, and what has to be asked now."""

import json
from typing import Literal, Protocol, TypeAlias

from hackamore.core.approval import (
    ALLOW_ONCE,
    REJECT_ONCE,
    ApprovalRequest,
    Decision,
)
from hackamore.core.effects import Effect
from hackamore.core.policy import Ask

Standing: TypeAlias = Literal["ask", "edits", "all", "none"]


class Beforehand(Protocol):
    """What a configuration says need not be asked."""

    def covers(self, request: ApprovalRequest) -> bool:
        """Return whether the call may run without asking."""
        ...

    def allowed(self, request: ApprovalRequest) -> None:
        """Take note that the person allowed the call."""
        ...


class Approvals:
    """The person's standing word and the answers they gave "always" in this session."""

    def __init__(self, standing: Standing = "ask", beforehand: Beforehand | None = None) -> None:
        self._standing = standing
        self._beforehand = beforehand
        self._remembered: dict[str, Decision] = {}

    def known(self, request: ApprovalRequest, ask: Ask) -> Decision | None:
        """Return the answer that needs no asking, or None when the person must be asked."""
        if self._beforehand is not None and self._beforehand.covers(request):
            return ALLOW_ONCE
        if self._standing == "all" or (
            self._standing == "edits" and request.effect is Effect.WRITE and not ask.grave
        ):
            return ALLOW_ONCE
        if self._standing == "none":
            return REJECT_ONCE
        return self._remembered.get(_key(request))

    def remember(self, request: ApprovalRequest, ask: Ask, decision: Decision) -> None:
        """Keep an answer that was given "always", for exactly this call; never to a grave ask."""
        if self._beforehand is not None and decision.allowed:
            self._beforehand.allowed(request)
        if decision.lasting and not ask.grave:
            self._remembered[_key(request)] = decision


def _key(request: ApprovalRequest) -> str:
    """Name what a lasting answer covers: a command by its line, a file tool by its files."""
    if request.command is not None:
        exact = request.command
    elif request.paths:
        exact = "\n".join(sorted(request.paths))
    else:
        exact = json.dumps(request.arguments, sort_keys=True)
    return f"{request.tool}\n{exact}\n{request.description}"
