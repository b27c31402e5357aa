"""Events as JSON, line by line."""

import json

import pytest

from hackamore.core.approval import ApprovalRequest, Decision
from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.events import (
    ApprovalAsked,
    ApprovalResolved,
    CheckpointCreated,
    Compacted,
    Event,
    FileChanged,
    PlanItem,
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
from hackamore.wire.encode import encode_event

_CHANGE = FileChange("a", "1\n", "2\n")
_DIFF = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n"
_CHANGED = {"path": "a", "kind": "modified", "diff": _DIFF}
_ASKED = ApprovalRequest("a1", "c1", "run", "run ls", Effect.RUN, {"command": "ls"}, "why")
_GOLDEN: list[tuple[Event, str, dict[str, object]]] = [
    (
        RunStarted("go", "p:m", "act", "full", "why"),
        "request_started",
        {"prompt": "go", "model": "p:m", "mode": "act", "sandbox_level": "full", "note": "why"},
    ),
    (StepStarted(1), "step_started", {"step": 1}),
    (StepEnded(1, 2), "step_finished", {"step": 1, "calls": 2}),
    (ThinkingDelta("hm"), "llm_thinking", {"text": "hm"}),
    (TextDelta("ä"), "llm_text", {"text": "ä"}),
    (
        ToolDraft("c1", "write", "content", "x"),
        "tool_call_draft",
        {"tool_id": "write", "call_id": "c1", "parameter": "content", "text": "x"},
    ),
    (
        ToolStarted("c1", "run", "run ls", {"command": "ls"}),
        "tool_call_started",
        {"tool_id": "run", "call_id": "c1", "title": "run ls", "input": {"command": "ls"}},
    ),
    (
        ToolProgress("c1", "run", "out"),
        "tool_call_progress",
        {"tool_id": "run", "call_id": "c1", "text": "out"},
    ),
    (
        ToolEnded("c1", "run", "denied", "no", "no", 1.23456, Code.PERMISSION_DENIED),
        "tool_call_finished",
        {
            "tool_id": "run",
            "call_id": "c1",
            "status": "denied",
            "duration_ms": 1.235,
            "summary": "no",
            "output": "no",
            "error_code": "MCP_ERROR_PERMISSION_DENIED",
        },
    ),
    (
        CheckpointCreated("c1", "0a1b2c3d4e5f", "run ls"),
        "checkpoint_created",
        {"call_id": "c1", "checkpoint_id": "0a1b2c3d4e5f", "title": "run ls"},
    ),
    (
        ApprovalAsked(_ASKED),
        "approval_requested",
        {
            "approval_id": "a1",
            "call_id": "c1",
            "tool_id": "run",
            "title": "run ls",
            "effect": "run",
            "input": {"command": "ls"},
            "reason": "why",
            "command": None,
            "changes": [],
        },
    ),
    (
        ApprovalResolved("a1", Decision("reject_once", "no")),
        "approval_resolved",
        {"approval_id": "a1", "decision": "reject_once", "note": "no"},
    ),
    (
        PlanUpdated((PlanItem("look", "completed"),)),
        "plan_updated",
        {"items": [{"text": "look", "status": "completed"}]},
    ),
    (FileChanged("c1", _CHANGE), "file_changed", {"call_id": "c1", **_CHANGED}),
    (
        Usage(3, 2, 1),
        "usage",
        {"input_tokens": 3, "output_tokens": 2, "cached_tokens": 1},
    ),
    (Compacted(9, 3), "context_compacted", {"tokens_before": 9, "tokens_after": 3}),
    (Warned("careful"), "warning", {"message": "careful"}),
    (
        ServerChanged("db", "ready", tools=3),
        "mcp_server_changed",
        {"server": "db", "state": "ready", "detail": "", "tools": 3},
    ),
    (
        ServerLogged("db", "info", "hello"),
        "mcp_server_log",
        {"server": "db", "level": "info", "text": "hello"},
    ),
    (
        RunEnded(RunResult("success", "ok", "done", input_tokens=3, changes=(_CHANGE,))),
        "response",
        {
            "status": "success",
            "output": {
                "text": "ok",
                "stop_reason": "done",
                "usage": {"input_tokens": 3, "output_tokens": 0},
                "changes": [_CHANGED],
            },
            "error": None,
            "error_code": None,
        },
    ),
    (
        RunEnded(RunResult("cancelled", "", "cancelled", "Cancelled.", Code.CANCELLED)),
        "response",
        {
            "status": "cancelled",
            "output": None,
            "error": "Cancelled.",
            "error_code": "MCP_ERROR_CANCELLED",
        },
    ),
]


@pytest.mark.req("AGT-02")
@pytest.mark.parametrize(("event", "kind", "fields"), _GOLDEN, ids=lambda one: str(one)[:20])
def test_each_event_has_its_type_its_stamp_and_its_fields(
    event: Event, kind: str, fields: dict[str, object]
) -> None:
    encoded = encode_event(event)
    stamp = {"type": kind, "seq": 0, "time": 0.0, "context_id": "", "request_id": ""}
    assert encoded == {**stamp, **fields}
    assert json.loads(json.dumps(encoded)) == {**stamp, **fields}
