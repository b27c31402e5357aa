"""Servers whose stdout and stderr carry more than messages: nothing of it costs a call."""

import json
from pathlib import Path

import pytest

from hackamore.core.errors import ConnectionLost
from servers.starting import fault_command
from servers.using import used

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-11")]


async def test_noise_between_messages_is_skipped_and_told_of_once() -> None:
    async with used(fault_command("noise-lines")) as it:
        assert [await it.said(), await it.said()] == ["hi", "hi"]
        (warning,) = it.warnings
        assert "it writes to stdout what is no message" in warning
        assert "'starting up...'" in warning


async def test_noise_without_a_line_end_eats_no_answer() -> None:
    async with used(fault_command("noise-before-reply")) as it:
        assert [await it.said(), await it.said()] == ["hi", "hi"]


async def test_bytes_that_are_no_utf8_are_replaced_in_a_result() -> None:
    async with used(fault_command("bad-text")) as it:
        assert await it.said() == "caf\ufffd \ufffd\ufffd end"


async def test_bytes_that_are_no_utf8_are_noise_elsewhere() -> None:
    async with used(fault_command("bad-noise")) as it:
        assert await it.said() == "hi"
        assert len(it.warnings) == 1


@pytest.mark.req("MCP-10")
async def test_a_result_of_20_megabytes_on_one_line_arrives() -> None:
    async with used(fault_command("long-result"), timeout=20) as it:
        output = await it.call()
        assert len(output.text) == 20 * 1024 * 1024


@pytest.mark.req("MCP-10")
async def test_a_line_of_noise_of_20_megabytes_is_skipped() -> None:
    async with used(fault_command("long-noise"), timeout=20) as it:
        assert await it.said() == "hi"
        (warning,) = it.warnings
        assert len(warning) < 400


@pytest.mark.req("MCP-06", "MCP-10")
async def test_a_line_without_an_end_ends_the_connection_and_not_the_memory() -> None:
    async with used(fault_command("endless"), timeout=20) as it:
        with pytest.raises(ConnectionLost, match="a line of more than 32 MiB"):
            await it.call()
        assert it.status.state == "idle"


@pytest.mark.req("MCP-10")
async def test_a_flood_on_stderr_blocks_nothing() -> None:
    async with used(fault_command("stderr-flood"), timeout=20) as it:
        assert [await it.said(), await it.said()] == ["hi", "hi"]


@pytest.mark.req("MCP-08")
async def test_a_large_argument_arrives_whole(tmp_path: Path) -> None:
    record = tmp_path / "record"
    text = "größer 🐴 " * 400_000
    async with used(fault_command("none", "--record", str(record)), timeout=20) as it:
        assert await it.said(text=text) == text
    lines = record.read_text(encoding="utf-8").splitlines()
    calls = [json.loads(line)["value"] for line in lines if '"kind": "call"' in line]
    assert calls == [{"name": "echo", "arguments": {"text": text}}]
