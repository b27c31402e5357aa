"""attempt_completion: the model says that it is done."""

from typing import Final

from hackamore.core.effects import Effect
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters

_SPEC: Final = ToolSpec(
    name="attempt_completion",
    description="Give the final answer, once the task is done and you have checked it.",
    parameters=parameters(
        {
            "result": described("string", "The answer, complete in itself."),
            "command": described("string", "A command that shows the result; may be left out."),
        },
        required=["result"],
    ),
    effect=Effect.READ,
    control=True,
    verbatim=frozenset(["result", "command"]),
    example={"result": "The bug is fixed: the loop ended one step early."},
)


class AttemptCompletion(BuiltinTool):
    """Ends the run with an answer."""

    spec = _SPEC

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Give the answer."""
        del context
        result = arguments.text("result")
        command = arguments.optional_text("command")
        answer = result if command is None else f"{result}\n\nTo see it: {command}"
        return ToolOutput(answer, structured={"text": answer}, answer=answer)
