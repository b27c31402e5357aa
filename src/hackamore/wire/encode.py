"""Core events as the JSON that editors and programs read (one object an event)."""

from typing import assert_never

from hackamore.core.approval import ApprovalRequest
from hackamore.core.changes import FileChange
from hackamore.core.codes import HTTP_PREFIX, Code
from hackamore.core.events import (
    ApprovalAsked,
    ApprovalResolved,
    CheckpointCreated,
    Compacted,
    Event,
    FileChanged,
    PlanUpdated,
    RunEnded,
    RunResult,
    RunStarted,
    ServerChanged,
    ServerLogged,
    StepEnded,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolDraft,
    ToolEnded,
    ToolProgress,
    ToolStarted,
    Usage,
    Warned,
)
from hackamore.core.json import JSON, JSONObject


def encode_event(event: Event) -> dict[str, JSON]:
    """Return an event as an object: ``type``, the stamp, then the event's own fields."""
    kind, fields = _body(event)
    return {
        "type": kind,
        "seq": event.seq,
        "time": event.time,
        "context_id": event.session_id,
        "request_id": event.request_id,
        **fields,
    }


def encode_response(result: RunResult) -> dict[str, JSON]:
    """Return a run's end as the fields of a Response."""
    return {
        "status": result.status,
        "output": _output(result),
        "error": result.error,
        "error_code": encode_code(result.code),
    }


def _output(result: RunResult) -> JSONObject | None:
    """Return what the run achieved; None when it achieved nothing that can be shown."""
    if result.status != "success" and not result.text and not result.changes:
        return None
    usage = {"input_tokens": result.input_tokens, "output_tokens": result.output_tokens}
    return {
        "text": result.text,
        "stop_reason": result.stop_reason,
        "usage": usage,
        "changes": [encode_change(change) for change in result.changes],
        **({} if result.structured is None else {"result": result.structured}),
    }


def encode_code(code: Code | None) -> str | None:
    """Return a code's name as the HTTP binding and ``--json`` have it."""
    return None if code is None else HTTP_PREFIX + code.value


def encode_change(change: FileChange) -> dict[str, JSON]:
    """Return a change with its unified diff."""
    return {"path": change.path, "kind": change.kind, "diff": change.diff()}


def _body(event: Event) -> tuple[str, JSONObject]:  # noqa: C901, PLR0911, PLR0912  # one case an event
    match event:
        case RunStarted():
            return "request_started", _started(event)
        case RunEnded():
            return "response", encode_response(event.result)
        case StepStarted():
            return "step_started", {"step": event.step}
        case StepEnded():
            return "step_finished", {"step": event.step, "calls": event.calls}
        case ThinkingDelta():
            return "llm_thinking", {"text": event.text}
        case TextDelta():
            return "llm_text", {"text": event.text}
        case ToolDraft():
            fields = {**_call(event), "parameter": event.parameter, "text": event.text}
            return "tool_call_draft", fields
        case ToolStarted():
            fields = {**_call(event), "title": event.title, "input": event.arguments}
            return "tool_call_started", fields
        case ToolProgress():
            return "tool_call_progress", {**_call(event), "text": event.text}
        case ToolEnded():
            return "tool_call_finished", {**_call(event), **_ended(event)}
        case ApprovalAsked():
            return "approval_requested", _approval(event.request)
        case ApprovalResolved():
            return "approval_resolved", {
                "approval_id": event.approval_id,
                "decision": event.decision.choice,
                "note": event.decision.note,
            }
        case PlanUpdated():
            items = [{"text": item.text, "status": item.status} for item in event.items]
            return "plan_updated", {"items": items}
        case FileChanged():
            return "file_changed", {"call_id": event.call_id, **encode_change(event.change)}
        case CheckpointCreated():
            return "checkpoint_created", {
                "call_id": event.call_id,
                "checkpoint_id": event.checkpoint_id,
                "title": event.title,
            }
        case Usage():
            return "usage", {
                "input_tokens": event.input_tokens,
                "output_tokens": event.output_tokens,
                "cached_tokens": event.cached_tokens,
            }
        case Compacted():
            fields = {"tokens_before": event.tokens_before, "tokens_after": event.tokens_after}
            return "context_compacted", fields
        case Warned():
            return "warning", {"message": event.message}
        case ServerChanged():
            return "mcp_server_changed", {
                "server": event.server,
                "state": event.state,
                "detail": event.detail,
                "tools": event.tools,
            }
        case ServerLogged():
            fields = {"server": event.server, "level": event.level, "text": event.text}
            return "mcp_server_log", fields
        case _:
            assert_never(event)


def _call(event: ToolDraft | ToolStarted | ToolProgress | ToolEnded) -> dict[str, JSON]:
    return {"tool_id": event.tool, "call_id": event.call_id}


def _started(event: RunStarted) -> dict[str, JSON]:
    return {
        "prompt": event.prompt,
        "model": event.model,
        "mode": event.mode,
        "sandbox_level": event.sandbox,
        "note": event.note,
    }


def _ended(event: ToolEnded) -> dict[str, JSON]:
    return {
        "status": event.status,
        "duration_ms": round(event.duration_ms, 3),
        "summary": event.summary,
        "output": event.output,
        "error_code": encode_code(event.code),
    }


def _approval(request: ApprovalRequest) -> dict[str, JSON]:
    return {
        "approval_id": request.id,
        "call_id": request.call_id,
        "tool_id": request.tool,
        "title": request.title,
        "effect": request.effect.value,
        "input": request.arguments,
        "reason": request.reason,
        "command": request.command,
        "changes": [encode_change(change) for change in request.changes],
    }
