"""What a model is told of the XML format: short, since it is paid for with every request."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from hackamore.core.json import JSON, JSONObject
from hackamore.core.tools import ToolSpec
from hackamore.formats.corrections import example_of
from hackamore.formats.strict_json import write_json
from hackamore.formats.tool_words import parameter_lines
from hackamore.formats.xml_write import write_call

McpStyle: TypeAlias = Literal["wrapped", "direct"]

_WRAPPER: Final = "use_mcp_tool"
_RULES: Final = """\
# Calling tools
You act by calling tools. A call is written in your answer as plain tags: the tool's name around \
it, each parameter's name around its value.

<tool_name>
<parameter_name>
value
</parameter_name>
</tool_name>

- Write tags exactly as shown, outside code fences: no attributes, no other spelling.
- Values are literal text: escape nothing. Lists and objects are JSON.
- Close every tag. Put long values last.
- Call one tool, or several that do not depend on each other; then stop and wait. The results \
come in the next message: never write or guess them.
- Use only the tools and parameters listed here.

# Tools"""


def instructions(tools: Sequence[ToolSpec], mcp: McpStyle) -> str:
    """Return the part of the system prompt that tells how to call `tools`."""
    if not tools:
        return ""
    wrapped = _wrapped(tools) if mcp == "wrapped" else ()
    own = [_tool(spec) for spec in tools if spec not in wrapped]
    return "\n\n".join([_RULES, *own, *_servers(wrapped)])


def _wrapped(tools: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
    """The tools that are called through the wrapper, where there is one."""
    has_wrapper = any(spec.name == _WRAPPER for spec in tools)
    return [spec for spec in tools if spec.server is not None and has_wrapper]


def _tool(spec: ToolSpec) -> str:
    lines = [f"## {spec.name}", spec.description.strip(), *parameter_lines(spec)]
    if example := example_of(spec):
        lines.append(write_call(spec.name, example))
    return "\n".join(line for line in lines if line)


def _servers(tools: Sequence[ToolSpec]) -> Iterable[str]:
    """The MCP tools by server, with the schemas of their arguments."""
    servers = dict.fromkeys(spec.server for spec in tools)
    for server in servers:
        lines = [f"## MCP server {server} (tools for {_WRAPPER})"]
        lines += [_mcp_tool(spec) for spec in tools if spec.server == server]
        yield "\n".join(lines)


def _mcp_tool(spec: ToolSpec) -> str:
    own = spec.server_tool or spec.name.removeprefix(f"{spec.server}__")
    name = own if own.isprintable() else spec.name
    description = " ".join(spec.description.split())
    return f"- {name}: {description}\n  arguments: {write_json(_brief(spec.parameters))}"


def _brief(schema: JSONObject) -> Mapping[str, JSON]:
    return {key: value for key, value in schema.items() if key not in {"$schema", "title"}}
