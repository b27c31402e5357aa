"""`hackamore run` as a user types it, against a scripted provider over HTTP."""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol, cast

import pytest

from hackamore.core.json import JSON
from hackamore.core.messages import Message, Text, ToolCall
from hackamore.formats.registry import get_format
from hackamore.testing.fake_provider import Answer, FakeProvider


class _Outcome(Protocol):
    status: int
    out: str
    err: str
    events: list[dict[str, Any]]
    response: dict[str, Any]

    def kinds(self) -> list[str]: ...
    def finished(self) -> list[dict[str, Any]]: ...


class _Hackamore(Protocol):
    def __call__(self, *arguments: str, **variables: str) -> _Outcome: ...
    def run(self, provider: FakeProvider, *arguments: str, **variables: str) -> _Outcome: ...
    def start(self, *arguments: str) -> Any: ...


_BROKEN = "result += price + quantity"
_MENDED = "result += price * quantity"
_DIFF = f"------- SEARCH\n        {_BROKEN}\n=======\n        {_MENDED}\n+++++++ REPLACE"
_READ = Answer(calls=[{"name": "read_file", "arguments": {"path": "basket/prices.py"}}])
_EDIT = Answer(
    calls=[{"name": "replace_in_file", "arguments": {"path": "basket/prices.py", "diff": _DIFF}}]
)
_LOOK = Answer(
    calls=[{"name": "execute_command", "arguments": {"command": "cat basket/prices.py"}}]
)
_DONE = Answer(text="Done.")


def _xml(tool: str, **values: str) -> Answer:
    inner = "".join(f"<{name}>\n{value}\n</{name}>\n" for name, value in values.items())
    return Answer(text=f"I will.\n<{tool}>\n{inner}</{tool}>")


def _source(project: Path) -> str:
    return (project / "basket" / "prices.py").read_text(encoding="utf-8")


@pytest.mark.req("AGT-01", "UX-02", "FMT-01")
def test_it_reads_a_file_and_answers(hackamore: _Hackamore) -> None:
    with FakeProvider([_READ, Answer(text="It sums prices.", reasoning="Easy.")]) as provider:
        outcome = hackamore.run(provider)
    assert outcome.status == 0, outcome.err
    assert outcome.response["status"] == "success"
    assert outcome.response["output"]["text"] == "It sums prices."
    assert outcome.response["output"]["stop_reason"] == "done"
    assert outcome.response["output"]["usage"]["input_tokens"] > 0
    (read,) = outcome.finished()
    assert _BROKEN in read["output"]
    assert provider.requests[1]["messages"][-1]["role"] == "tool"
    assert _BROKEN in provider.requests[1]["messages"][-1]["content"]
    assert "".join(e["text"] for e in outcome.events if e["type"] == "llm_thinking") == "Easy."


@pytest.mark.req("AGT-02", "UX-02")
def test_json_lines_are_numbered_and_bracketed(hackamore: _Hackamore) -> None:
    with FakeProvider([_READ, _DONE]) as provider:
        outcome = hackamore.run(provider)
    assert [event["seq"] for event in outcome.events] == list(range(1, len(outcome.events) + 1))
    kinds = [kind for kind in outcome.kinds() if not kind.startswith(("llm", "usage"))]
    assert [kind for kind in kinds if kind != "tool_call_draft"] == [
        "request_started",
        "step_started",
        "tool_call_started",
        "tool_call_finished",
        "step_finished",
        "step_started",
        "step_finished",
        "response",
    ]
    assert outcome.events[0]["sandbox_level"] == "full"
    assert len({event["request_id"] for event in outcome.events}) == 1


def _asked(tool_format: str, answer: Answer) -> Answer:
    """Return `answer` with its native calls written as `tool_format` writes them."""
    if tool_format in ("native", "auto"):
        return answer
    calls = [
        ToolCall(str(at), str(call["name"]), cast(dict[str, JSON], call["arguments"]))
        for at, call in enumerate(answer.calls)
    ]
    parts = (*calls, *([Text(answer.text)] if answer.text else []))
    (written,) = get_format(tool_format).encode([Message("assistant", parts)])
    return Answer(text=written.text)


@pytest.mark.req("AGT-01", "AGT-12", "FMT-01", "FMT-04")
@pytest.mark.parametrize("tool_format", ["native", "auto", "xml", "hermes", "react"])
def test_it_edits_and_runs_the_tests(
    hackamore: _Hackamore, project: Path, tool_format: str
) -> None:
    tests = {"command": f"{sys.executable} -m pytest -q -p no:cacheprovider"}
    run_tests = Answer(calls=[{"name": "execute_command", "arguments": tests}])
    answers = [_asked(tool_format, one) for one in (run_tests, _READ, _EDIT, run_tests, _DONE)]
    with FakeProvider(answers) as provider:
        outcome = hackamore.run(provider, "--tool-format", tool_format, "--approve", "all")
    assert outcome.status == 0, outcome.err
    assert outcome.response["output"]["text"].strip() == "Done."
    assert _MENDED in _source(project)
    ends = outcome.finished()
    assert [end["tool_id"] for end in ends] == [
        "execute_command",
        "read_file",
        "replace_in_file",
        "execute_command",
    ]
    assert "1 failed" in ends[0]["output"]
    assert "3 passed" in ends[3]["output"]
    (change,) = outcome.response["output"]["changes"]
    assert f"+        {_MENDED}" in change["diff"]
    assert bool(provider.requests[0].get("tools")) is (tool_format in ("native", "auto"))


@pytest.mark.req("AGT-07")
def test_after_429_it_waits_and_succeeds(hackamore: _Hackamore) -> None:
    busy = Answer(status=429, error="slow down", retry_after=0)
    with FakeProvider([busy, Answer(status=500, retry_after=0), _DONE]) as provider:
        outcome = hackamore.run(provider)
    assert outcome.status == 0
    warnings = [event["message"] for event in outcome.events if event["type"] == "warning"]
    assert "slow down" in warnings[0]
    assert len(provider.requests) == 3


@pytest.mark.req("AGT-07")
def test_a_stalled_stream_ends_by_the_idle_timeout(hackamore: _Hackamore) -> None:
    with FakeProvider([Answer(text="I was about to", stall=True)]) as provider:
        outcome = hackamore.run(provider, HACKAMORE_IDLE_TIMEOUT="0.5")
    assert outcome.status == 1
    assert outcome.response["error_code"] == "MCP_ERROR_TIMEOUT"
    assert outcome.response["output"]["text"] == "I was about to"


@pytest.mark.req("AGT-07", "UX-06")
@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        (Answer(status=401, error="bad key"), 4, "MCP_ERROR_MODEL_AUTH"),
        (Answer(status=404, error="no such model"), 4, "MCP_ERROR_MODEL_AUTH"),
        (Answer(status=400, error="maximum context length is 9"), 1, "MCP_ERROR_CONTEXT_OVERFLOW"),
        (Answer(status=400, error="unknown field"), 1, "MCP_ERROR_MODEL_ERROR"),
        (Answer(text="half", cut=True), 1, "MCP_ERROR_MODEL_ERROR"),
    ],
)
def test_a_provider_that_refuses_ends_the_run_with_its_words(
    hackamore: _Hackamore, answer: Answer, status: int, code: str
) -> None:
    with FakeProvider([answer]) as provider:
        outcome = hackamore.run(provider)
    assert (outcome.status, outcome.response["error_code"]) == (status, code)
    assert answer.cut or answer.error in outcome.response["error"]
    assert "Traceback" not in outcome.err


@pytest.mark.req("AGT-04")
def test_a_repeated_call_ends_the_run(hackamore: _Hackamore) -> None:
    with FakeProvider([_READ, _READ, _READ]) as provider:
        outcome = hackamore.run(provider)
    assert outcome.status == 1
    assert outcome.response["error_code"] == "MCP_ERROR_LIMIT_EXCEEDED"
    assert len(outcome.finished()) == 2


@pytest.mark.req("AGT-04")
def test_max_steps_ends_the_run(hackamore: _Hackamore) -> None:
    with FakeProvider([_READ, _LOOK]) as provider:
        outcome = hackamore.run(provider, "--max-steps", "1")
    assert outcome.status == 1
    assert "1 steps" in outcome.response["error"]


@pytest.mark.req("AGT-11")
def test_plan_mode_refuses_writes_and_does_not_offer_them(
    hackamore: _Hackamore, project: Path
) -> None:
    before = _source(project)
    with FakeProvider([_EDIT, _LOOK, _DONE]) as provider:
        outcome = hackamore.run(provider, "--mode", "plan", "--approve", "all")
    assert outcome.status == 0
    assert [end["status"] for end in outcome.finished()] == ["denied", "denied"]
    assert _source(project) == before
    offered = {tool["function"]["name"] for tool in provider.requests[0]["tools"]}
    assert "read_file" in offered
    assert not offered & {"write_to_file", "replace_in_file", "execute_command"}


@pytest.mark.req("AGT-12")
@pytest.mark.parametrize(
    ("approve", "edit", "run"),
    [
        ("ask", "denied", "denied"),
        ("edits", "success", "denied"),
        ("all", "success", "success"),
        ("none", "denied", "denied"),
    ],
)
def test_approve_says_what_passes_when_nobody_is_there(
    hackamore: _Hackamore, project: Path, approve: str, edit: str, run: str
) -> None:
    with FakeProvider([_READ, _EDIT, _LOOK, _DONE]) as provider:
        outcome = hackamore.run(provider, "--approve", approve)
    assert outcome.status == 0
    assert [end["status"] for end in outcome.finished()] == ["success", edit, run]
    assert (_MENDED in _source(project)) is (edit == "success")


@pytest.mark.req("AGT-12")
def test_what_the_configuration_denies_cannot_be_approved(
    hackamore: _Hackamore, project: Path
) -> None:
    folder = project / ".hackamore"
    folder.mkdir()
    (folder / "config.toml").write_text('[approve]\nrun = "deny"\n', encoding="utf-8")
    with FakeProvider([_LOOK, _DONE]) as provider:
        outcome = hackamore.run(provider, "--approve", "all")
    assert outcome.finished()[0]["error_code"] == "MCP_ERROR_PERMISSION_DENIED"


@pytest.mark.req("SBX-03")
def test_keys_reach_neither_commands_nor_the_model(hackamore: _Hackamore) -> None:
    look = Answer(calls=[{"name": "execute_command", "arguments": {"command": "env"}}])
    with FakeProvider([look, _DONE]) as provider:
        outcome = hackamore.run(provider, "--approve", "all", OPENAI_API_KEY="sk-canary-1")
    assert outcome.status == 0
    assert "PATH=" in outcome.finished()[0]["output"]
    assert "sk-canary-1" not in outcome.out + outcome.err + json.dumps(provider.requests)


@pytest.mark.req("FMT-01")
def test_a_server_that_takes_no_tools_is_asked_in_xml(hackamore: _Hackamore) -> None:
    refusal = Answer(status=400, error="this model does not support tools")
    with FakeProvider([refusal, _xml("read_file", path="basket/prices.py"), _DONE]) as provider:
        outcome = hackamore.run(provider)
    assert outcome.status == 0
    assert _BROKEN in outcome.finished()[0]["output"]
    assert "tools" not in provider.requests[1]


@pytest.mark.req("FMT-03")
def test_arguments_that_were_cut_off_run_nothing(hackamore: _Hackamore, project: Path) -> None:
    before = _source(project)
    raw = '{"path": "basket/prices.py", "content": "half of the fi'
    cut = Answer(calls=[{"name": "write_to_file", "arguments": raw}], finish="length")
    with FakeProvider([cut, _DONE]) as provider:
        outcome = hackamore.run(provider, "--approve", "all")
    assert outcome.status == 0
    assert not outcome.finished()
    assert _source(project) == before
    assert provider.requests[1]["messages"][-1]["role"] == "tool"


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("run",), 2, "TASK"),
        (("run", "--workspace", "/no/such/folder", "x"), 2, "not a folder"),
        (("run", "--model", "fake", "x"), 4, "provider:model"),
        (("run", "--model", "nobody:x", "x"), 4, "nobody"),
        (("run", "--mode", "dream", "--model", "openai:x", "x"), 2, "Modes: plan, act"),
        (("fix", "--mode", "plan"), 3, "not allowed"),
        (("run", "x"), 4, "models install"),
        (("models", "install", "nothing"), 4, "qwen2.5-coder-1.5b"),
    ],
)
def test_mistakes_are_told_plainly_with_the_right_status(
    hackamore: _Hackamore, arguments: tuple[str, ...], status: int, words: str
) -> None:
    outcome = hackamore(*arguments)
    assert outcome.status == status, outcome.err
    assert words in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.req("UX-06")
def test_with_json_a_mistake_is_a_response_too(hackamore: _Hackamore) -> None:
    outcome = hackamore("run", "--json", "--model", "fake", "x")
    assert outcome.status == 4
    assert outcome.response["type"] == "response"
    assert outcome.response["error_code"] == "MCP_ERROR_MODEL_AUTH"


@pytest.mark.req("UX-06")
def test_a_wrong_configuration_is_named_with_file_and_line(
    hackamore: _Hackamore, tmp_path: Path
) -> None:
    folder = tmp_path / "hackamore" / "config"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('\nmodle = "x:y"\n', encoding="utf-8")
    outcome = hackamore("config", "show")
    assert outcome.status == 2
    assert "config.toml:2: there is no key 'modle'" in outcome.err


@pytest.mark.req("AGT-08")
def test_the_prompt_is_shown_part_by_part(hackamore: _Hackamore) -> None:
    outcome = hackamore("prompt", "--tool-format", "xml", "--model", "openai:x", "--json")
    parts = {part["name"]: part for part in json.loads(outcome.out)}
    assert {"role", "mode", "tools", "project", "environment"} <= set(parts)
    assert all(part["tokens"] > 0 for part in parts.values())
    assert "Python" in parts["project"]["text"]


@pytest.mark.req("AGT-02", "SBX-05")
@pytest.mark.parametrize("moment", ["thinking", "running", "writing"])
def test_ctrl_c_ends_with_130_and_leaves_no_process(hackamore: _Hackamore, moment: str) -> None:
    mark = f"7{os.getpid()}{int(time.time())}"
    command = f"sleep {mark} & setsid sleep {mark} & echo begun; sleep {mark}"
    running = Answer(calls=[{"name": "execute_command", "arguments": {"command": command}}])
    thinking = Answer(text="I think", stall=True)
    long = {"path": "big.txt", "content": "0123456\n" * 200_000}
    writing = Answer(calls=[{"name": "write_to_file", "arguments": long}])
    answer = {"running": running, "thinking": thinking, "writing": writing}[moment]
    sign = {"running": "begun", "thinking": "llm_text", "writing": "step_started"}[moment]
    flags = ("--model", "openai:fake", "--approve", "all", "--json", "go")
    with (
        FakeProvider([answer]) as provider,
        hackamore.start("run", "--base-url", provider.base_url, *flags) as process,
    ):
        _wait_for(process.stdout, sign)
        process.send_signal(signal.SIGINT)
        rest = [json.loads(line) for line in process.stdout]
        assert process.wait(timeout=10) == 130
    assert rest[-1]["type"] == "response"
    assert rest[-1]["status"] == "cancelled"
    if moment == "running":
        assert any(event.get("status") == "cancelled" for event in rest[:-1])
    assert not _processes(mark)


def _wait_for(lines: Iterator[str], sign: str) -> None:
    """Read lines up to the first event of progress that holds `sign`."""
    for line in lines:
        if sign in line and "tool_call_started" not in line and "draft" not in line:
            return
    raise AssertionError(f"{sign} never came")


def _processes(mark: str) -> list[str]:
    """Return the command lines of all processes that hold `mark`."""
    found: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if mark in line:
            found.append(line)
    return found
