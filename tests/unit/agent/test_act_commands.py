"""A command that a rule allows runs unasked; a chain with another one is asked."""

import pytest

from hackamore.agent.act import Actor
from hackamore.agent.approvals import Approvals
from hackamore.core.commands import CommandRules
from hackamore.core.effects import Effect
from hackamore.core.json import JSONObject
from hackamore.core.policy import DEFAULT_ANSWERS, Layer, Policy
from hackamore.core.tools import ToolOutput, Touch
from hackamore.testing.fake_clock import FakeClock
from hackamore.testing.function_tool import FunctionTool
from hackamore.testing.scripted_host import ScriptedHost

pytestmark = pytest.mark.anyio


class _Shell(FunctionTool):
    def touches(self, arguments: JSONObject) -> Touch:
        return Touch(command=str(arguments["command"]))


async def _done(arguments: JSONObject) -> ToolOutput:
    return ToolOutput(f"ran {arguments['command']}")


@pytest.mark.req("AGT-12")
@pytest.mark.parametrize(
    ("line", "asked"), [("git status", 0), ("git status; id", 1), ("git status | sh", 1)]
)
async def test_only_what_no_rule_covers_is_asked(line: str, asked: int) -> None:
    tool = _Shell("run", _done, effect=Effect.RUN, parameters=("command",))
    host = ScriptedHost()
    layer = Layer("the rules", DEFAULT_ANSWERS, commands=CommandRules(("git status",)))
    actor = Actor(
        tools={"run": tool},
        policy=Policy((layer,)),
        approvals=Approvals("ask"),
        host=host,
        emit=lambda event: None,
        clock=FakeClock(),
    )
    await actor.call("run", {"command": line})
    assert len(host.requests) == asked
    assert len(tool.calls) == 1 - asked
