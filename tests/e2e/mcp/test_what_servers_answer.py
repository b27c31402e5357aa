"""Results of every kind and form; answers under wrong ids; protocol errors."""

from pathlib import Path

import pytest

from hackamore.core.content import (
    Audio,
    BlobResource,
    ResourceLink,
    TextResource,
    UnknownContent,
)
from hackamore.core.errors import MCPError
from hackamore.core.messages import Image, Text
from servers.starting import fault_command
from servers.using import used

pytestmark = [pytest.mark.anyio, pytest.mark.req("LC-04")]


async def test_blocks_of_all_kinds_become_content() -> None:
    async with used(fault_command("all-blocks")) as it:
        output = await it.call()
    assert [type(part) for part in output.content] == [
        Text,
        Image,
        Audio,
        ResourceLink,
        TextResource,
        BlobResource,
    ]
    assert output.content[5] == BlobResource("file:///c.bin", b"\x00\x01\x02\x03")
    assert "inside b" in output.text
    assert "[image/gif, 14 bytes]" in output.text


async def test_blocks_of_unknown_kinds_become_a_note_and_cost_no_other() -> None:
    async with used(fault_command("unknown-blocks")) as it:
        output = await it.call()
    assert not output.is_error
    assert output.content[0] == Text("first")
    assert output.content[-1] == Text("last")
    assert UnknownContent({"type": "hologram", "data": "AAAA", "depth": 3}) in output.content
    assert "not even an object" in output.text


@pytest.mark.parametrize(
    ("fault", "text", "structured"),
    [
        ("structured-list", '[1, {"two": 2}, null]', [1, {"two": 2}, None]),
        ("structured-only", '{"answer": 42}', {"answer": 42}),
    ],
)
async def test_structured_content_stands_in_for_words(
    fault: str, text: str, structured: object
) -> None:
    async with used(fault_command(fault)) as it:
        output = await it.call()
    assert (output.text, output.structured) == (text, structured)


async def test_an_error_of_the_tool_is_a_result() -> None:
    async with used(fault_command("error-result")) as it:
        output = await it.call()
    assert (output.text, output.is_error) == ("The city does not exist.", True)


async def test_a_result_with_nothing_in_it_says_so() -> None:
    async with used(fault_command("no-result")) as it:
        output = await it.call()
    assert output.text == "(The tool returned nothing.)"
    assert not output.is_error


async def test_data_against_the_tools_own_promise_count_with_a_warning() -> None:
    async with used(fault_command("output-mismatch")) as it:
        output = await it.call()
        assert (output.text, output.structured) == ("text", {"temperature": "warm"})
        assert any("breaks its schema: temperature" in warning for warning in it.warnings)


@pytest.mark.req("MCP-06")
@pytest.mark.parametrize("code", ["-32000", "-32600", "-32602", "-32603", "-32001", "7"])
async def test_a_protocol_error_is_told_and_costs_no_connection(code: str) -> None:
    async with used(fault_command("error-reply", "--count", code)) as it:
        for _ in range(2):
            with pytest.raises(MCPError, match="refused the call of 'echo': Out of coffee"):
                await it.call()
        assert it.states == ["connecting", "ready"]


@pytest.mark.req("MCP-11")
@pytest.mark.parametrize("fault", ["wrong-ids", "text-id"])
async def test_answers_under_strange_ids_are_sorted_out(fault: str) -> None:
    async with used(fault_command(fault)) as it:
        assert [await it.said(text="a"), await it.said(text="b")] == ["a", "b"]


@pytest.mark.req("MCP-11")
async def test_a_server_gets_its_own_folder_and_none_of_our_secrets(tmp_path: Path) -> None:
    command = fault_command("environment")
    async with used(command, cwd=str(tmp_path), env={"TOKEN": "for it"}) as it:
        said = await it.said()
    lines = said.splitlines()
    assert "TOKEN=for it" in lines
    assert f"cwd: {tmp_path}" in lines
    names = {line.partition("=")[0] for line in lines}
    assert "PATH" in names
    assert not {name for name in names if "PYTEST" in name}
