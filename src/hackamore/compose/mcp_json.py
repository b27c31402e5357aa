"""What MCP servers offer and answer, as JSON for programs: stable keys, MCP's own names."""

import base64

from hackamore.core.content import (
    Audio,
    BlobResource,
    Content,
    ResourceLink,
    TextResource,
    UnknownContent,
)
from hackamore.core.json import JSON, JSONObject
from hackamore.core.messages import Image, Text
from hackamore.core.tools import ToolOutput
from hackamore.mcp.entry import EntryProblem
from hackamore.mcp.phases import Phases
from hackamore.mcp.shapes import PromptInfo, PromptText, ResourceInfo
from hackamore.mcp.tool import McpTool


def tool_json(tool: McpTool) -> JSONObject:
    """Return a tool; annotations are the server's claims, `effect` is what the policy goes by."""
    listed, spec = tool.listed, tool.spec
    return {
        "name": spec.name,
        "server": spec.server,
        "server_tool": listed.name,
        "title": listed.title,
        "description": listed.description,
        "effect": spec.effect.value,
        "annotations": {
            "readOnlyHint": listed.read_only,
            "idempotentHint": listed.idempotent,
            "destructiveHint": listed.destructive,
            "openWorldHint": listed.open_world,
        },
        "inputSchema": listed.schema,
        "outputSchema": listed.output_schema,
    }


def output_json(server: str, tool: str, output: ToolOutput) -> JSONObject:
    """Return the result of a call."""
    return {
        "server": server,
        "tool": tool,
        "is_error": output.is_error,
        "text": output.text,
        "structured": output.structured,
        "content": [content_json(part) for part in output.content],
    }


def resource_json(resource: ResourceInfo) -> JSONObject:
    """Return a resource, or a template of resources."""
    return {
        "server": resource.server,
        "uri": resource.uri,
        "template": resource.template,
        "name": resource.name,
        "description": resource.description,
        "mimeType": resource.media_type,
    }


def prompt_json(prompt: PromptInfo) -> JSONObject:
    """Return a prompt that a server offers."""
    return {
        "server": prompt.server,
        "name": prompt.name,
        "title": prompt.title,
        "description": prompt.description,
        "arguments": [
            {"name": one.name, "description": one.description, "required": one.required}
            for one in prompt.arguments
        ],
    }


def message_json(message: PromptText) -> JSONObject:
    """Return one message of a prompt."""
    return {"role": message.role, "content": content_json(message.content)}


def content_json(part: Content) -> JSONObject:
    """Return one part of a result; bytes as base64."""
    match part:
        case Text(text=text):
            return {"type": "text", "text": text}
        case Image(media_type=kind, data=data) | Audio(media_type=kind, data=data):
            name = "image" if isinstance(part, Image) else "audio"
            return {"type": name, "mimeType": kind, "data": _base64(data)}
        case TextResource(uri=uri, text=text, media_type=kind):
            return {"type": "resource", "uri": uri, "mimeType": kind, "text": text}
        case BlobResource(uri=uri, data=data, media_type=kind):
            return {"type": "resource", "uri": uri, "mimeType": kind, "blob": _base64(data)}
        case ResourceLink(uri=uri, name=name, media_type=kind):
            return {"type": "resource_link", "uri": uri, "name": name, "mimeType": kind}
        case UnknownContent(raw=raw):
            return {"type": "unknown", "raw": raw}


def problem_json(problem: EntryProblem) -> JSONObject:
    """Return something that is wrong in a configuration."""
    return {
        "source": problem.source,
        "server": problem.server,
        "key": problem.key,
        "message": problem.message,
        "warning": problem.warning,
    }


def phases_json(phases: Phases | None) -> JSON:
    """Return how long opening took, in milliseconds."""
    if phases is None:
        return None
    start = None if phases.start is None else round(phases.start * 1000, 1)
    return {
        "start_ms": start,
        "handshake_ms": round(phases.handshake * 1000, 1),
        "list_ms": round(phases.listing * 1000, 1),
    }


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
