"""What a model is told of the ReAct format."""

from collections.abc import Iterable, Sequence
from typing import Final

from hackamore.core.tools import ToolSpec
from hackamore.formats.corrections import example_of
from hackamore.formats.react_write import write_call
from hackamore.formats.tool_words import kind_of, parameter_lines

_RULES: Final = """\
# How to work
Take the task apart and solve it step by step, with the tools listed below. Every line of yours \
begins with one of these labels:

Thought: what you know, what is missing, what to do next
Action: tool_name({"parameter": "value"})
FinalAnswer: the answer, when nothing is left to do

- Write one Thought and one Action, then stop and wait. The next message brings the Observation: \
what the tool answered. Never write or guess an Observation.
- An Action is the tool's name with a JSON object of arguments in parentheses, on one line, in no \
code block. Write line breaks in texts as \\n.
- After an Observation think again: go on with the next Action, or try another way after an error.
- When all is done, write a FinalAnswer and no Action.

# Two examples (their tools are not yours)
Task: How much higher is the lighthouse than the mill?
Thought: I need both heights. I begin with the lighthouse.
Action: get_height({"name": "lighthouse"})
Observation: 42 m
Thought: Now the mill.
Action: get_height({"name": "mill"})
Observation: 17 m
Thought: 42 - 17 = 25, so nothing is missing.
FinalAnswer: The lighthouse is 25 m higher.

Task: Note that Ann called about the keys.
Thought: One note with two lines will do.
Action: save_note({"title": "Ann", "text": "Ann called.\\nIt is about the keys."})
Observation: Saved.
Thought: The note is saved, the task is done.
FinalAnswer: I noted that Ann called about the keys.

# Tools"""


def instructions(tools: Sequence[ToolSpec]) -> str:
    """Return the part of the system prompt that tells how to call `tools`."""
    return "\n\n".join([_RULES, *map(_tool, tools)]) if tools else ""


def _tool(spec: ToolSpec) -> str:
    signature = f"## {spec.name}({', '.join(_parameters(spec))})"
    lines = [signature, spec.description.strip(), *parameter_lines(spec)]
    if example := example_of(spec):
        lines.append(write_call(spec.name, example))
    return "\n".join(line for line in lines if line)


def _parameters(spec: ToolSpec) -> Iterable[str]:
    for name, schema in spec.properties.items():
        kind = kind_of(schema, spec.parameters) or "text"
        yield f"{name}{'' if name in spec.required else '?'}: {kind}"
