"""The port to whoever holds the reins: a terminal, an editor, or a program."""

from typing import Protocol

from hackamore.core.approval import ApprovalRequest, Decision
from hackamore.core.elicitation import NOBODY, ElicitationAnswer, ElicitationRequest


class Host(Protocol):
    """What a run may ask of the person while it goes on."""

    async def approve(self, request: ApprovalRequest) -> Decision:
        """Ask whether a call may run. Waits as long as the person thinks."""
        ...

    async def ask(self, question: str, options: tuple[str, ...]) -> str | None:
        """Put the model's question to the person; None when nobody can answer."""
        ...

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        """Put an MCP server's question to the person."""
        ...


class Nobody:
    """The host where nobody is: asking means no."""

    async def approve(self, request: ApprovalRequest) -> Decision:
        """Say no."""
        return Decision("reject_once", "Nobody is there to be asked.")

    async def ask(self, question: str, options: tuple[str, ...]) -> str | None:
        """Give no answer."""
        return None

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        """Give no answer."""
        return NOBODY
