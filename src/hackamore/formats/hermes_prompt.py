"""What a model is told of the Hermes format."""

from collections.abc import Sequence
from typing import Final

from hackamore.core.tools import ToolSpec
from hackamore.formats.hermes_write import write_call
from hackamore.formats.strict_json import write_json

_RULES: Final = """\
# Calling tools
You act by calling tools. A call is a JSON object, with the tool's name and its arguments, \
between two tags:

{form}

- Write the tags exactly as shown, outside code fences, and escape texts as JSON asks.
- Make one call, or several that do not depend on each other, each in tags of its own; then stop \
and wait. The results come in the next message, between <tool_response> tags: never write or \
guess them.
- Use only the tools listed here. Each line describes one, its arguments as a JSON Schema.

<tools>"""


def instructions(tools: Sequence[ToolSpec]) -> str:
    """Return the part of the system prompt that tells how to call `tools`."""
    if not tools:
        return ""
    rules = _RULES.format(form=write_call("tool_name", {"parameter": "value"}))
    return "\n".join([rules, *map(_tool, tools), "</tools>"])


def _tool(spec: ToolSpec) -> str:
    schema = {key: value for key, value in spec.parameters.items() if key not in _NOISE}
    description = spec.description.strip()
    return write_json({"name": spec.name, "description": description, "parameters": schema})


_NOISE: Final = frozenset({"$schema", "title"})
