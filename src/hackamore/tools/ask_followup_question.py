"""ask_followup_question: the model asks the person."""

from typing import Final

from hackamore.core.effects import Effect
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters

_SPEC: Final = ToolSpec(
    name="ask_followup_question",
    description="Ask the person something that you need to know and cannot find out.",
    parameters=parameters(
        {
            "question": described("string", "The question."),
            "options": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Answers to choose from; may be left out.",
            },
        },
        required=["question"],
    ),
    effect=Effect.READ,
    control=True,
    verbatim=frozenset(["question"]),
    example={"question": "Which database do you use?", "options": ["SQLite", "PostgreSQL"]},
)


class AskFollowupQuestion(BuiltinTool):
    """Puts the question to the host."""

    spec = _SPEC

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Ask and wait for the answer."""
        options = tuple(str(option) for option in arguments.items("options"))
        note = ""
        if arguments.raw("options") not in (None, "", "[]") and not options:
            note = "\n(The options were no JSON list and were left out.)"
        answer = await context.host.ask(arguments.text("question"), options)
        if answer is None:
            return ToolOutput(f"Nobody is there to answer. Go on by your best judgement.{note}")
        return ToolOutput(f"{answer}{note}", structured={"answer": answer}, summary="answered")
