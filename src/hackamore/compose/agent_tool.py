"""An agent as a tool of another one."""

from collections.abc import Callable

from hackamore.agent.run import Run
from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.events import RunEnded, RunResult, ToolProgress, ToolStarted
from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, Touch, failure


class AgentTool:
    """Runs an agent on a task, tells its steps as progress, and gives its answer."""

    def __init__(self, run: Callable[[str], Run], name: str, description: str) -> None:
        self._run = run
        self.spec = ToolSpec(
            name=name,
            description=description,
            parameters={
                "type": "object",
                "properties": {"task": {"type": "string", "description": "What it should do."}},
                "required": ["task"],
            },
            effect=Effect.RUN,
        )

    def touches(self, arguments: JSONObject) -> Touch:
        """Return nothing: the agent's own calls are judged one by one."""
        del arguments
        return Touch()

    async def run(self, arguments: JSONObject, context: ToolContext) -> ToolOutput:
        """Run the agent to its end."""
        task = arguments.get("task")
        if not isinstance(task, str) or not task.strip():
            return failure("A task is needed, as text.", Code.INVALID_REQUEST)
        result: RunResult | None = None
        async for event in self._run(task):
            if isinstance(event, ToolStarted):
                progress = ToolProgress(context.call_id, self.spec.name, f"{event.title}\n")
                context.emit(progress)
            elif isinstance(event, RunEnded):
                result = event.result
        return _output(result)

    async def preview(self, arguments: JSONObject) -> tuple[FileChange, ...]:
        """Return nothing: it is not known beforehand."""
        del arguments
        return ()


def _output(result: RunResult | None) -> ToolOutput:
    if result is None:
        return failure("The agent ended without a result.", Code.INTERNAL)
    text = result.text or result.error or "(The agent said nothing.)"
    failed = result.status != "success"
    words = f"{result.error}\n{result.text}".strip() if failed else text
    return ToolOutput(words, is_error=failed, code=result.code, changes=result.changes)
