"""One call, from the asking to the result: judge, ask, run, tell.

Whatever happens to it, a call that started also ends, and the model gets a result to read.
"""

import asyncio
import json
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hackamore.agent.approvals import Approvals
from hackamore.agent.keeping import keep_before
from hackamore.agent.titles import title_of
from hackamore.agent.wrapped import unwrapped
from hackamore.core.approval import ALLOW_ONCE, ApprovalRequest, Decision
from hackamore.core.bounded import bounded
from hackamore.core.changes import FileChange
from hackamore.core.checkpoints import Checkpoints
from hackamore.core.clock import Clock
from hackamore.core.codes import Code
from hackamore.core.errors import HackamoreError
from hackamore.core.events import (
    ApprovalAsked,
    ApprovalResolved,
    Emit,
    FileChanged,
    ToolEnded,
    ToolStarted,
    ToolStatus,
)
from hackamore.core.host import Host
from hackamore.core.ids import new_id
from hackamore.core.json import JSONObject
from hackamore.core.messages import ToolCall
from hackamore.core.policy import Action, Allow, Ask, Deny, Policy, Verdict, strictest
from hackamore.core.tools import Tool, ToolContext, ToolOutput, ToolSpec, Touch, failure

_CHANGED_MEANWHILE: Final = (
    "Nothing was done: the file changed while the person was asked. Read it again."
)
_SUMMARY_WIDTH: Final = 100
_REFUSALS: Final = frozenset(
    {Code.APPROVAL_REJECTED, Code.PERMISSION_DENIED, Code.TOOL_NOT_ALLOWED}
)


@dataclass(slots=True)
class Actor:
    """Runs calls for one run.

    Attributes:
        tools: By name.
        policy: The law.
        approvals: What the person has said beforehand.
        host: Whom to ask.
        emit: Whom to tell.
        clock: For durations.
        root: The workspace's absolute path; a path below it means the same as the relative one.
        originals: What the files that this run changed held before it, by path.
        written: What this run last wrote to them.
        checkpoints: What keeps the workspace before each step that may change it; None: nothing.
    """

    tools: Mapping[str, Tool]
    policy: Policy
    approvals: Approvals
    host: Host
    emit: Emit
    clock: Clock
    root: str = ""
    originals: dict[str, str | None] = field(default_factory=dict[str, str | None])
    written: dict[str, str | None] = field(default_factory=dict[str, str | None])
    checkpoints: Checkpoints | None = None
    _waited: dict[str, float] = field(default_factory=dict[str, float])

    async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
        """Make a call of one's own, under the same law as a model's."""
        return await self.act(ToolCall(new_id("call"), tool, arguments))

    async def act(self, call: ToolCall) -> ToolOutput:
        """Judge, ask, run and tell one call."""
        call = unwrapped(call, self.tools)
        started = self.clock.monotonic()
        touched = self._touched(call)
        known = touched if isinstance(touched, Touch) else Touch()
        title = title_of(call.name, call.arguments, known)
        self.emit(ToolStarted(call.id, call.name, title, call.arguments))
        try:
            if isinstance(touched, ToolOutput):
                output = touched
            else:
                output = await self._allowed_or_refused(call, touched, title)
        except asyncio.CancelledError:
            self._ended(call, failure("Cancelled.", Code.CANCELLED), "cancelled", started)
            raise
        except BaseException:
            self._ended(call, failure("It failed.", Code.INTERNAL), "error", started)
            raise
        self._ended(call, output, _status(output), started)
        return output

    def _touched(self, call: ToolCall) -> Touch | ToolOutput:
        """Return what a call would touch, or why it cannot be made at all."""
        tool = self.tools.get(call.name)
        if tool is None:
            known = ", ".join(sorted(self.tools))
            return failure(f"There is no tool {call.name!r}. Tools: {known}.", Code.UNKNOWN_TOOL)
        try:
            return tool.touches(call.arguments)
        except HackamoreError as error:
            return failure(str(error), error.code)

    async def _allowed_or_refused(self, call: ToolCall, touched: Touch, title: str) -> ToolOutput:
        tool = self.tools[call.name]
        changes = await _preview(tool, call.arguments)
        match self._verdict(tool.spec, touched, changes):
            case Deny(reason=reason, code=code):
                return failure(f"Not allowed: {reason}.", code)
            case Ask() as ask:
                request = _request(tool.spec, call, touched, title, ask.reason, changes)
                decision = await self._ask(call, request, ask)
                if not decision.allowed:
                    return _rejected(decision)
                if changes != await _preview(tool, call.arguments):
                    return failure(_CHANGED_MEANWHILE, Code.STALE_SNAPSHOT)
            case Allow():
                pass
        if self.checkpoints is not None:
            paths = [self._relative(path) for path in touched.paths]
            await keep_before(self.checkpoints, tool.spec, (call.id, title, paths), self.emit)
        return await self._run(tool, call)

    def _verdict(self, spec: ToolSpec, touched: Touch, changes: tuple[FileChange, ...]) -> Verdict:
        """Judge what the call names, and the files that it would really change: links resolved."""
        named = [self._relative(path) for path in touched.paths]
        paths = dict.fromkeys([*named, *(change.path for change in changes)])
        actions = [
            replace(action_of(spec, path, touched.command), url=touched.url)
            for path in paths or (None,)
        ]
        return strictest(map(self.policy.judge, actions))

    def _relative(self, path: str) -> str:
        inside = self.root and path.startswith(f"{self.root}/")
        return path.removeprefix(f"{self.root}/") if inside else path

    async def _ask(self, call: ToolCall, request: ApprovalRequest, ask: Ask) -> Decision:
        if self._puts_back(request.changes):
            return ALLOW_ONCE
        known = self.approvals.known(request, ask)
        if known is not None:
            return known
        self.emit(ApprovalAsked(request))
        asked = self.clock.monotonic()
        decision = Decision("reject_once", "nobody answered")
        try:
            decision = await self.host.approve(request)
        finally:
            self._waited[call.id] = self.clock.monotonic() - asked
            self.emit(ApprovalResolved(request.id, decision))
        self.approvals.remember(request, ask, decision)
        return decision

    def _puts_back(self, changes: tuple[FileChange, ...]) -> bool:
        """Return whether all that this run wrote, and nothing else, becomes what it was before."""
        return bool(changes) and all(
            change.path in self.originals
            and change.before == self.written[change.path]
            and change.after == self.originals[change.path]
            for change in changes
        )

    async def _run(self, tool: Tool, call: ToolCall) -> ToolOutput:
        context = ToolContext(call.id, self.emit, self.host)
        try:
            output = await tool.run(call.arguments, context)
        except HackamoreError as error:
            return failure(str(error), error.code)
        except Exception as error:  # noqa: BLE001  # a foreign tool's bug is a result too
            return failure(f"The tool failed: {type(error).__name__}: {error}", Code.INTERNAL)
        for change in output.changes:
            self.originals.setdefault(change.path, change.before)
            self.written[change.path] = change.after
            self.emit(FileChanged(call.id, change))
        return _fitting(output)

    def _ended(
        self, call: ToolCall, output: ToolOutput, status: ToolStatus, started: float
    ) -> None:
        waited = self._waited.pop(call.id, 0.0)
        elapsed = (self.clock.monotonic() - started - waited) * 1000
        summary = output.summary or _first_line(output.text)
        self.emit(ToolEnded(call.id, call.name, status, output.text, summary, elapsed, output.code))


def _fitting(output: ToolOutput) -> ToolOutput:
    """Return an output whose text a model can take; tools from elsewhere know no bounds."""
    fits = bounded(output.text, "Ask for less at once.")
    return replace(output, text=fits.text) if fits.truncated else output


async def _preview(tool: Tool, arguments: JSONObject) -> tuple[FileChange, ...]:
    """Return what would change; nothing when the call would fail anyway."""
    try:
        return await tool.preview(arguments)
    except HackamoreError:
        return ()


def action_of(spec: ToolSpec, path: str | None = None, command: str | None = None) -> Action:
    """Return what the policy looks at: a tool, and what a call of it would touch."""
    return Action(
        tool=spec.name,
        effect=spec.effect,
        control=spec.control,
        path=None if path is None else posixpath.normpath(path),
        folder=spec.names_folder,
        command=command,
        server=spec.server,
        server_tool=spec.server_tool,
    )


def _request(  # the question's own fields
    spec: ToolSpec,
    call: ToolCall,
    touched: Touch,
    title: str,
    reason: str,
    changes: tuple[FileChange, ...],
) -> ApprovalRequest:
    return ApprovalRequest(
        id=new_id("approval"),
        call_id=call.id,
        tool=call.name,
        title=title,
        effect=spec.effect,
        arguments=call.arguments,
        reason=reason,
        command=touched.command,
        paths=touched.paths,
        changes=changes,
        description=_described(spec),
        server=spec.server,
        server_tool=spec.server_tool,
    )


def _described(spec: ToolSpec) -> str:
    """Return what a server says of its tool: a lasting yes holds only as long as it says so."""
    if spec.server is None:
        return ""
    return f"{spec.description}\n{json.dumps(spec.parameters, sort_keys=True)}"


def _rejected(decision: Decision) -> ToolOutput:
    words = f" They said: {decision.note}" if decision.note else ""
    return failure(f"The person did not allow this call.{words}", Code.APPROVAL_REJECTED)


def _status(output: ToolOutput) -> ToolStatus:
    if output.code in _REFUSALS:
        return "denied"
    return "error" if output.is_error else "success"


def _first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= _SUMMARY_WIDTH else f"{line[: _SUMMARY_WIDTH - 1]}…"
