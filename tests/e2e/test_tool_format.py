"""`with_tool_format` over HTTP: native calls, text calls, and servers that refuse tools."""

import pytest
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

import hackamore
from hackamore.testing.fake_provider import Answer, FakeProvider

pytestmark = pytest.mark.anyio

_NATIVE = Answer(calls=[{"name": "add", "arguments": {"a": 1, "b": 2}}])
_TEXT = Answer(text="<add>\n<a>1</a>\n<b>2</b>\n</add>")
_REFUSED = Answer(status=400, error="this model does not support tools")


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def _model(provider: FakeProvider) -> ChatOpenAI:
    return ChatOpenAI(
        model="fake", base_url=provider.base_url, api_key=SecretStr("none"), max_retries=0
    )


@pytest.mark.req("LC-05", "FMT-01")
@pytest.mark.parametrize("answers", [[_NATIVE], [_TEXT], [_REFUSED, _TEXT]])
async def test_auto_understands_native_calls_text_and_a_refusal(answers: list[Answer]) -> None:
    with FakeProvider([*answers, *answers]) as provider:
        for sync in (True, False):
            bound = hackamore.with_tool_format(_model(provider)).bind_tools([add])
            answer = bound.invoke("1+2?") if sync else await bound.ainvoke("1+2?")
            assert [call["args"] for call in answer.tool_calls] == [{"a": 1, "b": 2}]
    assert "tools" in provider.requests[0]
    assert ("tools" in provider.requests[-1]) is (len(answers) == 1)


@pytest.mark.req("FMT-03", "LC-05")
async def test_arguments_that_were_cut_off_are_no_call() -> None:
    cut = Answer(calls=[{"name": "add", "arguments": '{"a": 1, "b": 2'}], finish="length")
    with FakeProvider([cut, cut]) as provider:
        model = hackamore.with_tool_format(_model(provider), "auto", corrections=1)
        answer = await model.bind_tools([add]).ainvoke("1+2?")
    assert not answer.tool_calls
    assert answer.invalid_tool_calls
