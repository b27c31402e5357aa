"""Events: everything that happens in a run, as one closed union in brackets.

What starts also ends: `RunStarted` … `RunEnded`, `StepStarted` … `StepEnded`, `ToolStarted` …
`ToolEnded`, `ApprovalAsked` … `ApprovalResolved`; also when it fails or is cancelled. The last
event of a run is `RunEnded`; nothing comes after it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar

from hackamore.core.approval import ApprovalRequest, Decision
from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.json import JSON, JSONObject

ToolStatus: TypeAlias = Literal["success", "error", "denied", "cancelled"]
RunStatus: TypeAlias = Literal["success", "error", "cancelled"]
ServerState: TypeAlias = Literal[
    "idle", "connecting", "ready", "backoff", "auth_required", "failed", "stopped"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Whose event it is, and which in the row.

    Attributes:
        session_id: The conversation; ``context_id`` on the wire.
        request_id: The run within it.
        seq: 1, 2, 3 … without gaps within the session.
        time: Seconds since the epoch.
    """

    session_id: str = ""
    request_id: str = ""
    seq: int = 0
    time: float = 0.0


@dataclass(frozen=True, slots=True)
class RunStarted(Stamp):
    """A run begins.

    Attributes:
        prompt: What was asked.
        model: Who thinks, as ``provider:model``.
        mode: What it may do.
        sandbox: The level that was proved.
        note: Why this model, and what it can and cannot do.
    """

    prompt: str
    model: str
    mode: str
    sandbox: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class StepStarted(Stamp):
    """One round of thinking and acting begins; `step` counts from 1."""

    step: int


@dataclass(frozen=True, slots=True)
class StepEnded(Stamp):
    """The round is over; `calls` is the number of tool calls that it made."""

    step: int
    calls: int


@dataclass(frozen=True, slots=True)
class ThinkingDelta(Stamp):
    """A piece of what the model thinks."""

    text: str


@dataclass(frozen=True, slots=True)
class TextDelta(Stamp):
    """A piece of what the model says."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolDraft(Stamp):
    """The model is writing a call: `text` more of parameter `parameter`. For showing only."""

    call_id: str
    tool: str
    parameter: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted(Stamp):
    """A tool call is judged and then run. `title` is one line for a status bar."""

    call_id: str
    tool: str
    title: str
    arguments: JSONObject


@dataclass(frozen=True, slots=True)
class ToolProgress(Stamp):
    """Something to show of a running call, such as a command's output so far."""

    call_id: str
    tool: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolEnded(Stamp):
    """A tool call is over.

    Attributes:
        output: What the model reads.
        summary: One short line for people.
        duration_ms: Wall time from judging to the result, without waiting for the person.
    """

    call_id: str
    tool: str
    status: ToolStatus
    output: str
    summary: str
    duration_ms: float
    code: Code | None = None


@dataclass(frozen=True, slots=True)
class ApprovalAsked(Stamp):
    """A call waits for the person."""

    request: ApprovalRequest


@dataclass(frozen=True, slots=True)
class ApprovalResolved(Stamp):
    """The person, or a rule in their place, has answered."""

    approval_id: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class PlanItem:
    """One line of the plan."""

    text: str
    status: Literal["pending", "in_progress", "completed"]


@dataclass(frozen=True, slots=True)
class PlanUpdated(Stamp):
    """The plan as it now is, whole."""

    items: tuple[PlanItem, ...]


@dataclass(frozen=True, slots=True)
class FileChanged(Stamp):
    """A call changed a file."""

    call_id: str
    change: FileChange


@dataclass(frozen=True, slots=True)
class CheckpointCreated(Stamp):
    """The workspace as it was before a call is kept.

    Attributes:
        call_id: The call.
        checkpoint_id: What to restore; the same as before an earlier call when nothing changed.
        title: What the call does, in one line.
    """

    call_id: str
    checkpoint_id: str
    title: str


@dataclass(frozen=True, slots=True)
class Usage(Stamp):
    """Tokens of one request to the model."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Compacted(Stamp):
    """The history was shortened to fit the model."""

    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True)
class Warned(Stamp):
    """Something the person should know; the run goes on."""

    message: str


@dataclass(frozen=True, slots=True)
class ServerChanged(Stamp):
    """An MCP server's connection changed.

    Attributes:
        server: Its name.
        state: What it is now.
        detail: Why, for people; may be empty.
        tools: How many tools it offers, once that is known.
    """

    server: str
    state: ServerState
    detail: str = ""
    tools: int | None = None


@dataclass(frozen=True, slots=True)
class ServerLogged(Stamp):
    """An MCP server says something about its work.

    Attributes:
        server: Its name.
        level: ``debug``, ``info``, ``notice``, ``warning``, ``error``, ``critical``, ``alert`` or
            ``emergency`` (RFC 5424).
        text: What it says.
    """

    server: str
    level: str
    text: str


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended.

    Attributes:
        status: Whether it reached its end.
        text: The answer, or what was said last.
        stop_reason: ``done``, ``max_steps``, ``repeated_call``, ``malformed_calls``, ``cut_off``,
            ``error``, ``not_fixed``, ``not_written``, ``denied`` or ``cancelled``.
        error: For people, when the status is ``error``.
        code: The error's code.
        input_tokens: Tokens read by the model, all requests together.
        output_tokens: Tokens written by the model.
        changes: The files that differ from before the run.
        structured: A task's result as data, where it has a schema.
    """

    status: RunStatus
    text: str
    stop_reason: str
    error: str | None = None
    code: Code | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    changes: tuple[FileChange, ...] = ()
    structured: JSON = None


@dataclass(frozen=True, slots=True)
class RunEnded(Stamp):
    """The run is over."""

    result: RunResult


Event: TypeAlias = (
    RunStarted
    | RunEnded
    | StepStarted
    | StepEnded
    | ThinkingDelta
    | TextDelta
    | ToolDraft
    | ToolStarted
    | ToolProgress
    | ToolEnded
    | ApprovalAsked
    | ApprovalResolved
    | PlanUpdated
    | FileChanged
    | CheckpointCreated
    | Usage
    | Compacted
    | Warned
    | ServerChanged
    | ServerLogged
)

Emit: TypeAlias = Callable[[Event], None]
"""Tells the watchers; returns at once."""

_E = TypeVar("_E", bound=Stamp)


def stamped(event: _E, *, session_id: str, request_id: str, seq: int, time: float) -> _E:
    """Return `event` with its stamp filled in."""
    return replace(event, session_id=session_id, request_id=request_id, seq=seq, time=time)
