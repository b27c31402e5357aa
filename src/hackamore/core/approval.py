"""Approvals: what a person is asked before something happens, and what they answer."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from hackamore.core.changes import FileChange
from hackamore.core.effects import Effect
from hackamore.core.json import JSONObject

Choice: TypeAlias = Literal["allow_once", "allow_always", "reject_once", "reject_always"]


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A question to the person.

    Attributes:
        id: Names the question; the answer comes for this id.
        call_id: The tool call that waits.
        tool: The tool's name.
        title: One line that says what would happen.
        effect: What kind of harm it could do.
        arguments: What the tool would be called with.
        reason: Why it is asked.
        command: The command line that would run, whole and as it would run, or None.
        paths: The files and folders that the call names.
        changes: What would change in files, where it is known beforehand.
        server: The MCP server that the tool comes from, if any.
        server_tool: Its name there.
        description: What an MCP server says of its tool; a lasting yes holds only for these words.
    """

    id: str
    call_id: str
    tool: str
    title: str
    effect: Effect
    arguments: JSONObject
    reason: str
    command: str | None = None
    paths: tuple[str, ...] = ()
    changes: tuple[FileChange, ...] = ()
    description: str = ""
    server: str | None = None
    server_tool: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The person's answer. `note` is told to the model when the answer is no."""

    choice: Choice
    note: str = ""

    @property
    def allowed(self) -> bool:
        """Whether the call may run."""
        return self.choice in ("allow_once", "allow_always")

    @property
    def lasting(self) -> bool:
        """Whether the same question need not be asked again in this session."""
        return self.choice in ("allow_always", "reject_always")


ALLOW_ONCE = Decision("allow_once")
ALLOW_ALWAYS = Decision("allow_always")
REJECT_ONCE = Decision("reject_once")
