"""`with_tool_format` over HTTP: native calls, text calls, and servers that refuse tools."""

import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

import hackamore
from hackamore.core.json import JSON
from hackamore.core.messages import Message, Text, ToolCall
from hackamore.formats.registry import get_format as hackamore_format
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


_CODE = "def total(prices):\n    return sum(prices) + 1\n"
_DIFF = (
    "------- SEARCH\n    return sum(prices) + 1\n=======\n    return sum(prices)\n+++++++ REPLACE"
)


@pytest.mark.req("LC-05", "FMT-01", "FMT-04")
@pytest.mark.parametrize("form", ["xml", "hermes", "react"])
def test_an_agent_of_langchain_edits_a_file_and_runs_its_test(form: str, tmp_path: Path) -> None:
    file = tmp_path / "prices.py"
    file.write_text(_CODE, encoding="utf-8")

    @tool
    def replace_in_file(diff: str) -> str:
        """Change prices.py by SEARCH/REPLACE blocks."""
        text = hackamore.apply_search_replace(file.read_text(encoding="utf-8"), diff)
        file.write_text(text, encoding="utf-8")
        return "changed"

    @tool
    def run_test() -> str:
        """Run the test of prices.py."""
        check = "import prices; assert prices.total([1, 2]) == 3"
        line = [sys.executable, "-B", "-c", check]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, check=False)
        return "passed" if done.returncode == 0 else "failed"

    steps: list[tuple[str, dict[str, JSON]]] = [
        ("run_test", {}),
        ("replace_in_file", {"diff": _DIFF}),
        ("run_test", {}),
    ]
    encode = hackamore_format(form).encode
    answers = [
        Answer(text=encode([Message("assistant", (ToolCall(str(at), name, values),))])[0].text)
        for at, (name, values) in enumerate(steps)
    ]
    answers.append(Answer(text=encode([Message("assistant", (Text("Mended."),))])[0].text))
    with FakeProvider(answers) as provider:
        model = hackamore.with_tool_format(_model(provider), form)  # pyright: ignore[reportArgumentType] - one of the names
        agent = cast(Any, create_agent)(model, tools=[replace_in_file, run_test])
        messages = agent.invoke({"messages": [("user", "mend it")]})["messages"]
    results = [str(one.content) for one in messages if one.type == "tool"]
    assert results == ["failed", "changed", "passed"]
    assert str(messages[-1].text).strip() == "Mended."
