"""Tools of the usual shapes, for tests of whatever reads, writes or shows calls."""

from typing import Final

from hackamore.core.effects import Effect
from hackamore.core.json import JSON, JSONObject
from hackamore.core.tools import ToolSpec

_STRING: Final[JSONObject] = {"type": "string"}


def _schema(required: str, **optional: JSONObject) -> JSONObject:
    """Return the schema of a tool whose `required` parameters are texts."""
    names = required.split()
    properties: dict[str, JSON] = {**dict.fromkeys(names, _STRING), **optional}
    return {"type": "object", "properties": properties, "required": names}


READ_FILE: Final = ToolSpec(
    "read_file",
    "Reads a file.",
    _schema("path", start_line={"type": "integer"}, end_line={"type": "integer"}),
    Effect.READ,
    path_parameter="path",
    example={"path": "src/main.py"},
)
WRITE_TO_FILE: Final = ToolSpec(
    "write_to_file",
    "Writes a whole file.",
    _schema("path content"),
    Effect.WRITE,
    verbatim=frozenset({"content"}),
    path_parameter="path",
    example={"path": "notes.md", "content": "# Notes\n"},
)
LIST_FILES: Final = ToolSpec(
    "list_files",
    "Lists a folder.",
    _schema("path", recursive={"type": "boolean"}),
    Effect.READ,
    path_parameter="path",
)
EXECUTE_COMMAND: Final = ToolSpec(
    "execute_command",
    "Runs a command.",
    _schema("command", requires_approval={"type": "boolean"}, timeout={"type": "number"}),
    Effect.RUN,
)
ATTEMPT_COMPLETION: Final = ToolSpec(
    "attempt_completion",
    "Ends the task with an answer.",
    _schema("result", command=_STRING),
    Effect.READ,
    control=True,
    verbatim=frozenset({"result"}),
)
ASK_FOLLOWUP_QUESTION: Final = ToolSpec(
    "ask_followup_question",
    "Asks the person.",
    _schema("question", options={"type": "array", "items": _STRING}),
    Effect.READ,
    control=True,
)
USE_MCP_TOOL: Final = ToolSpec(
    "use_mcp_tool",
    "Calls a tool of an MCP server.",
    {
        "type": "object",
        "properties": {
            "server_name": _STRING,
            "tool_name": _STRING,
            "arguments": {"type": "object"},
        },
        "required": ["server_name", "tool_name", "arguments"],
    },
    Effect.NETWORK,
    verbatim=frozenset({"arguments"}),
)
SAMPLE_TOOLS: Final = (
    READ_FILE,
    WRITE_TO_FILE,
    LIST_FILES,
    EXECUTE_COMMAND,
    ATTEMPT_COMPLETION,
    ASK_FOLLOWUP_QUESTION,
    USE_MCP_TOOL,
)
