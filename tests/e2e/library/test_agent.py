"""`hackamore.Agent`: any mixture of tools behind one interface, watched event by event."""

import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

import hackamore
from hackamore.core.approval import ApprovalRequest
from hackamore.core.events import RunEnded, RunResult, ToolEnded, ToolProgress
from hackamore.core.messages import user
from hackamore.testing.fake_provider import Answer, FakeProvider

pytestmark = pytest.mark.anyio

ECHO = {"command": sys.executable, "args": ["-m", "hackamore.testing.echo_server", "stdio"]}


@tool
def shout(text: str) -> str:
    """Say it louder."""
    return text.upper()


def add(first: int, second: int) -> int:
    """Add two numbers."""
    return first + second


def _chat(provider: FakeProvider) -> ChatOpenAI:
    return ChatOpenAI(model="fake", base_url=provider.base_url, api_key="x")  # pyright: ignore[reportArgumentType]


def _calls(*calls: tuple[str, dict[str, Any]]) -> Answer:
    return Answer(calls=[{"name": name, "arguments": arguments} for name, arguments in calls])


async def _outcome(run: Any) -> tuple[list[ToolEnded], RunResult]:
    ended: list[ToolEnded] = []
    result: RunResult | None = None
    async for event in run:
        if isinstance(event, ToolEnded):
            ended.append(event)
        if isinstance(event, RunEnded):
            result = event.result
    assert result is not None
    return ended, result


@pytest.mark.req("LC-01", "AGT-01")
async def test_servers_langchain_tools_functions_and_agents_mix_freely() -> None:
    answers = [
        _calls(
            ("echo__echo", {"text": "hi"}),
            ("shout", {"text": "hi"}),
            ("add", {"first": 1, "second": 2}),
            ("helper", {"task": "help"}),
        ),
        Answer(text="from the helper"),
        Answer(text="done"),
    ]
    with FakeProvider(answers) as provider:
        model = _chat(provider)
        helper = hackamore.Agent(model).as_tool("helper", "Helps with anything.")
        async with hackamore.MCPServers({"mcpServers": {"echo": ECHO}}) as servers:
            agent = hackamore.Agent(model, tools=[servers, shout, add, helper])
            ended, result = await _outcome(agent.run("go"))
    assert [one.output for one in ended] == ["hi", "HI", "3", "from the helper"]
    assert (result.status, result.text) == ("success", "done")


@pytest.mark.req("LC-01")
async def test_langchain_tools_of_a_server_are_tools_of_an_agent() -> None:
    with FakeProvider([_calls(("echo", {"text": "hi"})), Answer(text="done")]) as provider:
        async with hackamore.MCPClient(ECHO) as client:
            agent = hackamore.Agent(_chat(provider), tools=await client.ato_langchain_tools())
            ended, _ = await _outcome(agent.run("go"))
    assert [one.output for one in ended] == ["hi"]


@pytest.mark.req("LC-01")
async def test_an_approver_is_asked_about_what_can_do_anything() -> None:
    asked: list[str] = []

    async def no(request: ApprovalRequest) -> bool:
        asked.append(request.tool)
        return False

    with FakeProvider([_calls(("shout", {"text": "hi"})), Answer(text="ok")]) as provider:
        agent = hackamore.Agent(_chat(provider), tools=[shout], approver=no)
        ended, _ = await _outcome(agent.run("go"))
    assert asked == ["shout"]
    assert [one.status for one in ended] == ["denied"]


@pytest.mark.req("LC-01")
async def test_plan_mode_offers_nothing_that_changes_anything() -> None:
    with FakeProvider([Answer(text="a plan")]) as provider:
        agent = hackamore.Agent(_chat(provider), tools=[shout], mode="plan")
        await _outcome(agent.run("go"))
        assert "tools" not in provider.requests[0]


@pytest.mark.req("LC-01")
async def test_a_workspace_gives_sandboxed_tools_and_asking_without_an_approver_means_no(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.txt").write_text("inside\n")
    answers = [
        _calls(
            ("read_file", {"path": "a.txt"}),
            ("write_to_file", {"path": "b.txt", "content": "x"}),
        ),
        Answer(text="done"),
    ]
    with FakeProvider(answers) as provider:
        async with hackamore.Agent(_chat(provider), workspace=tmp_path) as agent:
            ended, _ = await _outcome(agent.run("go"))
    assert "inside" in ended[0].output
    assert ended[1].status == "denied"
    assert not (tmp_path / "b.txt").exists()


@pytest.mark.req("LC-01")
async def test_the_history_goes_on_from_run_to_run_unless_another_one_is_given() -> None:
    with FakeProvider([Answer(text="one"), Answer(text="two"), Answer(text="three")]) as provider:
        agent = hackamore.Agent(_chat(provider))
        await _outcome(agent.run("first"))
        await _outcome(agent.run("second"))
        await _outcome(agent.run("third", history=[user("before")]))
        said = [
            [one["content"] for one in request["messages"] if one["role"] != "system"]
            for request in provider.requests
        ]
    assert said == [["first"], ["first", "one", "second"], ["before", "third"]]


@pytest.mark.req("LC-01")
async def test_the_steps_of_an_agent_inside_are_its_progress() -> None:
    answers = [
        _calls(("helper", {"task": "help"})),
        _calls(("shout", {"text": "hi"})),
        Answer(text="helped"),
        Answer(text="done"),
    ]
    with FakeProvider(answers) as provider:
        model = _chat(provider)
        helper = hackamore.Agent(model, tools=[shout]).as_tool("helper", "Helps.")
        agent = hackamore.Agent(model, tools=[helper])
        told = [event.text async for event in agent.run("go") if isinstance(event, ToolProgress)]
    assert told == ["shout\n"]


@pytest.mark.req("UX-06")
def test_what_is_no_tool_and_what_has_the_same_name_twice_is_refused() -> None:
    with pytest.raises(hackamore.HackamoreError, match="is no tool"):
        hackamore.Agent("openai:fake", tools=[3])  # pyright: ignore[reportArgumentType]
    with pytest.raises(hackamore.HackamoreError, match="same name: shout"):
        hackamore.Agent("openai:fake", tools=[shout, shout])
    with pytest.raises(hackamore.HackamoreError, match="no mode 'fly'"):
        hackamore.Agent("openai:fake", mode="fly")
