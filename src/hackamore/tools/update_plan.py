"""update_plan: the model tells what it means to do."""

import re
from collections.abc import Mapping
from typing import Final, Literal

from hackamore.core.effects import Effect
from hackamore.core.errors import UsageError
from hackamore.core.events import PlanItem, PlanUpdated
from hackamore.core.json import JSON
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters

Status = Literal["pending", "in_progress", "completed"]

_SPEC: Final = ToolSpec(
    name="update_plan",
    description="Show the person your plan as a checklist; send it whole whenever it changes.",
    parameters=parameters(
        {
            "plan": described(
                "string", "One step a line: '- [ ] to do', '- [>] under way', '- [x] done'."
            )
        },
        required=["plan"],
    ),
    effect=Effect.READ,
    control=True,
    verbatim=frozenset(["plan"]),
    example={"plan": "- [x] read the code\n- [>] fix the bug\n- [ ] run the tests"},
)
_STEP: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])?\s*(?:\[(?P<mark>[^\]]?)\])?\s*(?P<text>.*\S)")
_MARKS: Final[Mapping[str, Status]] = {
    "x": "completed",
    "X": "completed",
    "✓": "completed",
    ">": "in_progress",
    "~": "in_progress",
    "/": "in_progress",
}
_STATUSES: Final[Mapping[str, Status]] = {
    "pending": "pending",
    "in_progress": "in_progress",
    "completed": "completed",
    "done": "completed",
}


class UpdatePlan(BuiltinTool):
    """Turns the checklist into an event."""

    spec = _SPEC

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Show the plan."""
        items = _items(arguments)
        if not items:
            raise UsageError("The plan holds no step.", hint="Write one step a line: - [ ] step.")
        context.emit(PlanUpdated(items))
        done = sum(item.status == "completed" for item in items)
        return ToolOutput("The plan is shown.", summary=f"{done} of {len(items)} done")


def _items(arguments: Arguments) -> tuple[PlanItem, ...]:
    listed = arguments.items("plan")
    if listed:
        return tuple(item for item in map(_from_json, listed) if item.text)
    lines = arguments.text("plan").splitlines()
    return tuple(item for item in map(_from_line, lines) if item is not None)


def _from_line(line: str) -> PlanItem | None:
    found = _STEP.match(line)
    if found is None:
        return None
    return PlanItem(found["text"], _MARKS.get((found["mark"] or "").strip(), "pending"))


def _from_json(item: JSON) -> PlanItem:
    if not isinstance(item, Mapping):
        return PlanItem(str(item), "pending")
    text = item.get("text") or item.get("step") or item.get("content") or ""
    return PlanItem(str(text), _STATUSES.get(str(item.get("status", "")), "pending"))
