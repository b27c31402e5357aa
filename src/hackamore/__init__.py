"""Hackamore: a coding agent that stays in the editor's hands.

Importing it loads nothing heavy; the public names load what they need on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hackamore.compose.agent import Agent
    from hackamore.compose.library import with_tool_format
    from hackamore.compose.mcp_client import MCPClient
    from hackamore.compose.mcp_servers import MCPServers
    from hackamore.core.errors import (
        CallTimeout,
        ConnectionLost,
        EditError,
        HackamoreError,
        MCPError,
        ServerUnavailable,
    )
    from hackamore.edits.search_replace import apply as apply_search_replace

__all__ = [
    "Agent",
    "CallTimeout",
    "ConnectionLost",
    "EditError",
    "HackamoreError",
    "MCPClient",
    "MCPError",
    "MCPServers",
    "ServerUnavailable",
    "apply_search_replace",
    "with_tool_format",
]

_HOMES = {
    "CallTimeout": ("hackamore.core.errors", "CallTimeout"),
    "ConnectionLost": ("hackamore.core.errors", "ConnectionLost"),
    "EditError": ("hackamore.core.errors", "EditError"),
    "HackamoreError": ("hackamore.core.errors", "HackamoreError"),
    "MCPError": ("hackamore.core.errors", "MCPError"),
    "ServerUnavailable": ("hackamore.core.errors", "ServerUnavailable"),
    "Agent": ("hackamore.compose.agent", "Agent"),
    "MCPClient": ("hackamore.compose.mcp_client", "MCPClient"),
    "MCPServers": ("hackamore.compose.mcp_servers", "MCPServers"),
    "apply_search_replace": ("hackamore.edits.search_replace", "apply"),
    "with_tool_format": ("hackamore.compose.library", "with_tool_format"),
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'hackamore' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
