"""What servers ask and tell in a call: the person, a model, folders, progress, logs."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest

from hackamore.core.elicitation import (
    ElicitationAnswer,
    ElicitationRequest,
    FormRequest,
    UrlRequest,
)
from hackamore.core.events import ServerLogged, ToolProgress
from hackamore.mcp.hooks import Elicit, Hooks
from servers.starting import fault_command, fault_site, modern_command
from servers.using import used

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-09")]


def _answering(answer: ElicitationAnswer, asked: list[ElicitationRequest]) -> Elicit:
    async def elicit(request: ElicitationRequest) -> ElicitationAnswer:
        asked.append(request)
        return answer

    return elicit


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            ElicitationAnswer("accept", {"name": "Ada", "count": 3}),
            {"action": "accept", "content": {"name": "Ada", "count": 3}},
        ),
        (ElicitationAnswer("decline"), {"action": "decline"}),
        (ElicitationAnswer("cancel"), {"action": "cancel"}),
        (ElicitationAnswer("decline", {"name": "Ada"}), {"action": "decline"}),
    ],
)
async def test_a_form_goes_to_the_person_and_the_answer_back(
    answer: ElicitationAnswer, told: dict[str, Any]
) -> None:
    asked: list[ElicitationRequest] = []
    async with used(fault_command("ask-form"), Hooks(elicit=_answering(answer, asked))) as it:
        assert json.loads(await it.said()) == told
    (form,) = asked
    assert isinstance(form, FormRequest)
    assert (form.server, form.message) == ("it", "Who are you?")
    assert form.schema["required"] == ["name"]


async def test_a_page_is_shown_to_the_person() -> None:
    asked: list[ElicitationRequest] = []
    hooks = Hooks(elicit=_answering(ElicitationAnswer("accept"), asked))
    async with used(fault_command("ask-url"), hooks) as it:
        assert json.loads(await it.said()) == {"action": "accept"}
    assert asked == [UrlRequest("it", "Please sign in.", "https://example.com/sign-in?x=1")]


@pytest.mark.parametrize("sse", [(), ("--sse",)])
async def test_a_form_reaches_the_person_over_http_too(sse: tuple[str, ...]) -> None:
    asked: list[ElicitationRequest] = []
    hooks = Hooks(elicit=_answering(ElicitationAnswer("decline"), asked))
    with fault_site("ask-form", *sse) as url:
        async with used([], hooks, url=url) as it:
            assert json.loads(await it.said()) == {"action": "decline"}


@pytest.mark.parametrize("protocol", ["auto", "legacy"])
async def test_the_stateless_revision_asks_the_person_too(protocol: str) -> None:
    asked: list[ElicitationRequest] = []
    hooks = Hooks(elicit=_answering(ElicitationAnswer("accept", {"name": "Ada"}), asked))
    async with used(modern_command(), hooks, protocol=protocol) as it:
        output = await it.call("greet", greeting="Hello")
        assert output.text == "Hello, Ada!"
        assert len(asked) == 1


@pytest.mark.req("MCP-10")
async def test_no_time_runs_out_while_the_person_thinks() -> None:
    async def slowly(request: ElicitationRequest) -> ElicitationAnswer:
        await asyncio.sleep(1.2)  # the person thinks for longer than the timeout
        return ElicitationAnswer("decline")

    async with used(fault_command("ask-form"), Hooks(elicit=slowly), timeout=0.6) as it:
        assert json.loads(await it.said()) == {"action": "decline"}


@pytest.mark.req("MCP-10")
async def test_a_caller_who_cancels_takes_the_question_back() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def never(request: ElicitationRequest) -> ElicitationAnswer:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()
        return ElicitationAnswer("cancel")

    async with used(fault_command("ask-form"), Hooks(elicit=never)) as it:
        call = asyncio.create_task(it.call())
        await begun.wait()
        at = time.monotonic()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert time.monotonic() - at < 0.2
    assert ended.is_set()


@pytest.mark.parametrize("fault", ["ask-form", "ask-sampling", "ask-roots", "ask-unknown"])
async def test_what_nobody_answers_is_refused_in_the_protocols_words(fault: str) -> None:
    async with used(fault_command(fault)) as it:
        refusal = json.loads(await it.said())
    assert refusal["code"] in (-32600, -32601)


async def test_only_the_workspaces_folders_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "a folder é"
    async with used(fault_command("ask-roots"), Hooks(roots=(str(folder),))) as it:
        told = json.loads(await it.said())
    assert told == {"roots": [{"uri": folder.as_uri(), "name": "a folder é"}]}


async def test_a_model_answers_where_that_is_allowed() -> None:
    questions: list[types.CreateMessageRequestParams] = []

    async def sample(
        server: str, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult:
        questions.append(params)
        words = types.TextContent(text=f"hello {server}")
        return types.CreateMessageResult(role="assistant", content=words, model="fake")

    async with used(fault_command("ask-sampling"), Hooks(sample=sample)) as it:
        told = json.loads(await it.said())
    assert told["content"] == {"type": "text", "text": "hello it"}
    assert questions[0].max_tokens == 50


@pytest.mark.req("MCP-11")
async def test_a_ping_under_the_id_of_the_call_disturbs_nothing() -> None:
    async with used(fault_command("ping-same-id")) as it:
        assert [await it.said(text="a"), await it.said(text="b")] == ["a", "b"]


async def test_progress_is_told_of_the_call_that_it_belongs_to() -> None:
    async with used(fault_command("progress")) as it:
        assert await it.said() == "hi"
        told = [event for event in it.events if isinstance(event, ToolProgress)]
    assert [event.text for event in told] == ["1 step 1\n", "2/2 step 2\n", "3/2 step 3\n"]
    assert {(event.call_id, event.tool) for event in told} == {("call-1", "it__echo")}


async def test_what_a_server_logs_is_told_with_its_level() -> None:
    async with used(fault_command("logging")) as it:
        assert await it.said() == "hi"
        told = [event for event in it.events if isinstance(event, ServerLogged)]
    assert [(event.level, event.text) for event in told] == [
        ("debug", "db: fine"),
        ("error", "db: {'disk': 'full'}"),
    ]
