"""Interceptors: an onion of functions around each call of a tool."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from langchain_core.runnables import RunnableConfig

from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolOutput


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One call on its way to the tool; change it with `dataclasses.replace`.

    Attributes:
        tool: The tool's name as the model was shown it.
        arguments: The model's own values.
        server: The MCP server that the tool comes from, if any.
        server_tool: The tool's name on that server.
        call_id: The call's id.
        headers: HTTP headers for this call alone.
        config: LangChain's configuration of the call: tags, metadata, configurable.
    """

    tool: str
    arguments: JSONObject
    server: str | None = None
    server_tool: str | None = None
    call_id: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    config: RunnableConfig = field(default_factory=RunnableConfig)


Next: TypeAlias = Callable[[ToolRequest], Awaitable[ToolOutput]]
"""The rest of the way to the tool."""

Interceptor: TypeAlias = Callable[[ToolRequest, Next], Awaitable[ToolOutput]]
"""Sees a call and its result; may change both, answer itself, or call `Next` again."""


def onion(interceptors: Sequence[Interceptor], send: Next) -> Next:
    """Return `send` with `interceptors` around it, the first outermost."""
    for interceptor in reversed(interceptors):
        send = partial(_through, interceptor, send)
    return send


async def _through(interceptor: Interceptor, rest: Next, request: ToolRequest) -> ToolOutput:
    return await interceptor(request, rest)
