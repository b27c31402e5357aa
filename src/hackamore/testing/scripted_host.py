"""A person who answers as written down beforehand."""

from collections.abc import Iterable

from hackamore.core.approval import REJECT_ONCE, ApprovalRequest, Decision
from hackamore.core.elicitation import NOBODY, ElicitationAnswer, ElicitationRequest


class ScriptedHost:
    """Answers approvals and questions in order; when the answers run out, it says no.

    Attributes:
        requests: The approvals that were asked.
        questions: The questions that were asked.
        elicitations: What MCP servers asked.
    """

    def __init__(
        self,
        decisions: Iterable[Decision] = (),
        answers: Iterable[str] = (),
        elicited: Iterable[ElicitationAnswer] = (),
    ) -> None:
        self._decisions = list(decisions)
        self._answers = list(answers)
        self.requests: list[ApprovalRequest] = []
        self._elicited = list(elicited)
        self.questions: list[str] = []
        self.elicitations: list[ElicitationRequest] = []

    async def approve(self, request: ApprovalRequest) -> Decision:
        """Give the next decision."""
        self.requests.append(request)
        return self._decisions.pop(0) if self._decisions else REJECT_ONCE

    async def ask(self, question: str, options: tuple[str, ...]) -> str | None:
        """Give the next answer, else the first option, else nothing."""
        self.questions.append(question)
        if self._answers:
            return self._answers.pop(0)
        return options[0] if options else None

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        """Give the next answer, else nobody's."""
        self.elicitations.append(request)
        return self._elicited.pop(0) if self._elicited else NOBODY
