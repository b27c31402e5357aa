"""A wrapped call means the server's tool that it names, and nothing else."""

from typing import Any

import pytest

from hackamore.agent.wrapped import unwrapped
from hackamore.core.effects import Effect
from hackamore.core.messages import ToolCall
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, Touch

pytestmark = pytest.mark.req("MCP-08")


class _Tool:
    def __init__(
        self, name: str, server: str | None = None, server_tool: str | None = None
    ) -> None:
        self.spec = ToolSpec(name, "", {}, Effect.RUN, server=server, server_tool=server_tool)

    def touches(self, arguments: Any) -> Touch:
        del arguments
        return Touch()

    async def preview(self, arguments: Any) -> tuple[()]:
        del arguments
        return ()

    async def run(self, arguments: Any, context: ToolContext) -> ToolOutput:
        del arguments, context
        return ToolOutput("")


_TOOLS = {
    one.spec.name: one
    for one in (
        _Tool("execute_command"),
        _Tool("a__t", "a", "t"),
        _Tool("a__a__t", "a", "a__t"),
        _Tool("b__u", "b", "u"),
    )
}


def _meant(**arguments: Any) -> ToolCall:
    return unwrapped(ToolCall("1", "use_mcp_tool", arguments), _TOOLS)


@pytest.mark.parametrize(
    ("server", "tool", "meant"),
    [("a", "t", "a__t"), ("a", "a__t", "a__a__t"), ("b", "b__u", "b__u")],
)
def test_a_name_on_the_server_wins_over_a_name_for_models(
    server: str, tool: str, meant: str
) -> None:
    found = _meant(server_name=server, tool_name=tool, arguments='{"x": 1}')
    assert found == ToolCall("1", meant, {"x": 1})


@pytest.mark.parametrize(
    "named",
    [
        {},
        {"tool_name": "execute_command"},
        {"server_name": None, "tool_name": "execute_command"},
        {"server_name": "", "tool_name": "execute_command"},
        {"server_name": None, "tool_name": None},
        {"server_name": "a"},
        {"server_name": "a", "tool_name": ["t"]},
        {"server_name": "c", "tool_name": "t"},
    ],
)
def test_a_call_that_names_no_servers_tool_stays_what_it_is(named: dict[str, Any]) -> None:
    assert _meant(**named) == ToolCall("1", "use_mcp_tool", named)
