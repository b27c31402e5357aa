"""The other direction: LangChain's tools, and plain functions, as core tools for the agent."""

import inspect
import re
from collections.abc import Callable
from typing import Any, Final, cast

from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ValidationError

from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.json import JSON, JSONObject
from hackamore.core.messages import Text
from hackamore.core.tools import Tool, ToolContext, ToolOutput, ToolSpec, Touch, failure
from hackamore.langchain.content import parts_of, text_of
from hackamore.langchain.schema import provider_view
from hackamore.langchain.tools import HackamoreTool, ToolArtifact

_LONGEST_NAME: Final = 64
_EFFECTS: Final = {effect.value: effect for effect in Effect}


def from_langchain_tool(tool: BaseTool) -> Tool:
    """Return a LangChain tool as a core tool.

    What it can do is not known, so it counts as able to run anything, unless its metadata says
    ``{"effect": "read"}``, or ``write``, ``run`` or ``network``.
    """
    if isinstance(tool, HackamoreTool) and not tool.interceptors:
        return tool.inner
    return _ForeignTool(tool)


def from_function(function: Callable[..., Any]) -> Tool:
    """Return a typed function as a core tool; a sync one runs in a thread.

    Its docstring, with what it says of the arguments, is what the model is told.
    """
    name = getattr(function, "__name__", type(function).__name__)
    is_async = inspect.iscoroutinefunction(function)
    return from_langchain_tool(
        StructuredTool.from_function(
            func=None if is_async else function,
            coroutine=function if is_async else None,
            name=name,
            description=None if inspect.getdoc(function) else name.replace("_", " "),
            parse_docstring=True,
            error_on_invalid_docstring=False,
        )
    )


class _ForeignTool:
    """Calls a LangChain tool as LangChain's own agents do."""

    def __init__(self, tool: BaseTool) -> None:
        self._tool = tool
        self.spec = _spec(tool)

    def touches(self, arguments: JSONObject) -> Touch:
        """Return nothing: what it touches is not known."""
        return Touch()

    async def preview(self, arguments: JSONObject) -> tuple[FileChange, ...]:
        """Return nothing: what it changes is not known."""
        return ()

    async def run(self, arguments: JSONObject, context: ToolContext) -> ToolOutput:
        """Call the tool."""
        call = {
            "type": "tool_call",
            "id": context.call_id,
            "name": self._tool.name,
            "args": dict(arguments),
        }
        try:
            result = await self._tool.ainvoke(call)
        except ValidationError as error:
            return failure(f"The arguments do not fit: {error}", Code.INVALID_REQUEST)
        except ToolException as error:
            return ToolOutput(str(error), is_error=True)
        return _output(result)


def _output(result: object) -> ToolOutput:
    """Return what a tool gave: mostly one message, at times what steers a graph."""
    if not isinstance(result, ToolMessage):
        return ToolOutput(str(result))
    parts = parts_of(cast(object, result.content))  # pyright: ignore[reportUnknownMemberType]
    return ToolOutput(
        text_of(parts),
        is_error=result.status == "error",
        structured=_structured(result.artifact),
        content=() if all(isinstance(part, Text) for part in parts) else parts,
    )


def _structured(artifact: object) -> JSON:
    return cast(ToolArtifact, artifact).get("structured_content") if _is_dict(artifact) else None


def _is_dict(value: object) -> bool:
    return isinstance(value, dict)


def _spec(tool: BaseTool) -> ToolSpec:
    function = convert_to_openai_tool(tool)["function"]
    effect = _EFFECTS.get(str((tool.metadata or {}).get("effect")), Effect.RUN)
    return ToolSpec(
        name=re.sub(r"[^a-zA-Z0-9_-]", "_", tool.name)[:_LONGEST_NAME],
        description=function.get("description", ""),
        parameters=cast(JSONObject, provider_view(function.get("parameters", {}))),
        effect=effect,
    )
