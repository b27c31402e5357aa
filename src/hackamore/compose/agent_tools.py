"""Whatever a program gives an agent as tools, as core tools: one interface for all."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from langchain_core.tools import BaseTool

from hackamore.compose.mcp_servers import MCPServers
from hackamore.core.errors import UsageError
from hackamore.core.tools import Tool
from hackamore.langchain.foreign_tools import from_function, from_langchain_tool

Given: TypeAlias = Tool | BaseTool | MCPServers | Callable[..., Any]
"""A core tool, a LangChain tool, servers, or a plain typed function."""


class GivenTools:
    """The tools that a program gave; those of servers are found out anew for each run."""

    def __init__(self, given: Sequence[Given]) -> None:
        self._servers = [one for one in given if isinstance(one, MCPServers)]
        self._fixed = [_as_tool(one) for one in given if not isinstance(one, MCPServers)]
        check_names(self._fixed)

    @property
    def instructions(self) -> tuple[tuple[str, str], ...]:
        """What the servers say of themselves for a model, by server."""
        return tuple(pair for one in self._servers for pair in one.instructions().items())

    async def begin(self) -> None:
        """Begin a run: give each server its `startupWait` to be ready."""
        await asyncio.gather(*(servers.begin_run() for servers in self._servers))

    def now(self) -> list[Tool]:
        """Return the tools that there are now."""
        return [*self._fixed, *(tool for one in self._servers for tool in one.known_tools())]


def _as_tool(given: Given) -> Tool:
    if isinstance(given, BaseTool):
        return from_langchain_tool(given)
    if hasattr(given, "spec") and hasattr(given, "run"):
        return cast(Tool, given)
    if callable(given):
        return from_function(given)
    raise UsageError(
        f"{given!r} is no tool.",
        hint="Tools are core tools, LangChain tools, typed functions and MCPServers.",
    )


def check_names(tools: Sequence[Tool]) -> None:
    """Refuse tools of one name: which of them a model means could not be told.

    Raises:
        UsageError: Two have the same name.
    """
    names = [tool.spec.name for tool in tools]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise UsageError(f"Two tools have the same name: {', '.join(sorted(twice))}.")
