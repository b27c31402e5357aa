"""execute_command: what the model and the watchers see of a command."""

from typing import Any

import pytest

from hackamore.core.bounded import bounded
from hackamore.core.codes import Code
from hackamore.core.events import ToolProgress
from hackamore.testing.fake_workspace import ScriptedResult
from hackamore.tools.readable import readable

pytestmark = pytest.mark.anyio


@pytest.mark.req("TOOL-01")
async def test_output_and_exit_code_come_back(bench: Any) -> None:
    tools = bench(results={"make": ScriptedResult("out\n", 3)})
    output = await tools.call("execute_command", command="make", requires_approval="false")
    assert output.text == "Exit code 3. Output:\nout"
    assert output.structured == {"exit_code": 3, "output": "out\n", "timed_out": False}
    assert not output.is_error
    assert tools.events == [ToolProgress("call_1", "execute_command", "out\n")]


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(
    ("result", "text"),
    [
        (ScriptedResult("", 0), "Exit code 0. No output."),
        (ScriptedResult("x", -9), "Ended by signal 9. Output:\nx"),
        (ScriptedResult("x", None), "Ended after 7 s: the timeout. Output so far:\nx"),
    ],
)
async def test_the_way_it_ended_is_said(bench: Any, result: ScriptedResult, text: str) -> None:
    output = await bench(results={"x": result}).call("execute_command", command="x", timeout="7")
    assert output.text == text
    assert (output.code is Code.TIMEOUT) == (result.exit_code is None)


@pytest.mark.req("TOOL-03")
async def test_a_flood_is_bounded_and_its_size_is_named(bench: Any) -> None:
    tools = bench(results={"yes": ScriptedResult("head\n" + "y\n" * 2_000_000 + "tail\n")})
    output = await tools.call("execute_command", command="yes")
    assert len(output.text) < 48_100
    assert "the output had 4,000,010 bytes" in output.text
    assert "head\n" in output.text
    assert output.text.endswith("tail")


@pytest.mark.req("TOOL-03")
async def test_invalid_utf8_is_replaced(bench: Any) -> None:
    tools = bench(results={"x": ScriptedResult(b"\xff\xfeabc\0d")})
    output = await tools.call("execute_command", command="x")
    assert output.structured["output"] == "\ufffd\ufffdabcd"


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize("seconds", [0, -1, 1e9, "soon"])
async def test_a_timeout_that_is_none_is_refused(bench: Any, seconds: Any) -> None:
    output = await bench().call("execute_command", command="x", timeout=seconds)
    assert output.code is Code.INVALID_REQUEST


@pytest.mark.req("TOOL-03")
@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("10%\r20%\r100%\n", "100%\n"),
        ("\x1b[31mred\x1b[0m\n", "red\n"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("long line\rshort\n", "shortline\n"),
        ("bell\x07 back\x08", "bell back"),
        ("\x1b[2K\x1b[1Gdone", "done"),
        ("tab\tkept", "tab\tkept"),
        ("", ""),
    ],
)
def test_a_terminals_output_is_read_as_a_person_sees_it(raw: str, shown: str) -> None:
    assert readable(raw) == shown


@pytest.mark.req("TOOL-03")
def test_text_that_fits_is_left_alone_and_more_is_cut_to_the_limit() -> None:
    assert bounded("abc", "more", limit=3).text == "abc"
    cut = bounded("a" * 1000 + "b" * 1000, "more.", limit=200)
    assert len(cut.text) <= 200
    assert cut.truncated
    assert cut.text.startswith("aaa")
    assert cut.text.endswith("bbb")


@pytest.mark.req("TOOL-01")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("echo a\0b", "holds a NUL byte"),
        ("x" * 120_001, "too long: 120,001 bytes"),
        ("\u4e2d" * 40_001, "too long: 120,003 bytes"),
    ],
)
async def test_a_command_that_cannot_be_passed_on_is_refused(
    bench: Any, command: str, words: str
) -> None:
    output = await bench().call("execute_command", command=command)
    assert output.code is Code.INVALID_REQUEST
    assert words in output.text
