"""Servers that end when they should not: the caller learns why, and the next call works."""

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

from hackamore.core.codes import Code
from hackamore.core.errors import ConnectionLost, ServerUnavailable
from servers.starting import echo_command, fault_command, public_command, recorded
from servers.using import until, used

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-06")]


@pytest.mark.req("MCP-11")
async def test_death_in_a_call_is_told_with_status_and_last_words() -> None:
    async with used(fault_command("exit-in-call")) as it:
        with pytest.raises(ConnectionLost) as caught:
            await it.call()
        words = str(caught.value)
        assert "'it' went away during the call of 'echo'" in words
        assert "ended with status 9" in words
        assert "the disk is on fire" in words
        assert caught.value.code is Code.MCP_SERVER_ERROR


async def test_a_call_that_may_have_been_done_is_not_repeated(tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with used(fault_command("exit-in-call", "--record", str(record))) as it:
        with pytest.raises(ConnectionLost):
            await it.call()
        assert len(recorded(record, "call")) == 1


async def test_after_a_death_in_a_call_the_next_call_works(tmp_path: Path) -> None:
    command = fault_command("exit-in-call", "--once", str(tmp_path / "happened"))
    async with used(command) as it:
        with pytest.raises(ConnectionLost):
            await it.call()
        assert await it.said() == "hi"
        assert it.states[:3] == ["connecting", "ready", "idle"]
        assert it.states[-2:] == ["connecting", "ready"]


async def test_a_server_that_ends_after_each_call_is_started_for_each(tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with used(fault_command("exit-after-call", "--record", str(record))) as it:
        for number in range(4):
            assert await it.said(text=f"call {number}") == f"call {number}"
            await until(lambda: it.states[-1] == "idle")
    calls = [call["arguments"]["text"] for call in recorded(record, "call")]
    assert calls == ["call 0", "call 1", "call 2", "call 3"]


async def test_calls_that_meet_a_server_at_its_end_are_done_once_or_not_at_all(
    tmp_path: Path,
) -> None:
    record = tmp_path / "record"
    answered: list[str] = []
    async with used(fault_command("exit-after-call", "--record", str(record))) as it:
        for number in range(8):
            with contextlib.suppress(ConnectionLost):
                answered.append(await it.said(text=f"call {number}"))
    done = [call["arguments"]["text"] for call in recorded(record, "call")]
    assert len(set(done)) == len(done)
    assert set(answered) <= set(done)


async def test_a_server_that_ends_while_idle_is_seen_and_started_at_the_next_call() -> None:
    async with used(fault_command("die-when-idle", "--seconds", "0.05")) as it:
        assert await it.said() == "hi"
        await until(lambda: it.states[-1] == "idle")
        assert await it.said() == "hi"


async def test_the_next_call_finds_a_server_that_was_killed_unnoticed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    async with used(echo_command("stdio", "--wire-log", str(log))) as it:
        assert await it.said() == "hi"
        for _ in range(3):
            for process in it.processes():
                os.kill(process, signal.SIGKILL)
            assert await it.said(text="again") == "again"
    assert len(log.read_text(encoding="utf-8").splitlines()) == 4


async def test_a_server_that_closes_its_stdout_and_lives_on_is_lost_and_ended() -> None:
    async with used(fault_command("close-stdout")) as it:
        with pytest.raises(ConnectionLost, match="it closed the connection"):
            await it.call()


@pytest.mark.req("MCP-04")
async def test_a_server_that_dies_of_the_newest_protocol_is_spoken_to_in_the_older_one(
    tmp_path: Path,
) -> None:
    record = tmp_path / "record"
    async with used(fault_command("die-on-discover", "--record", str(record))) as it:
        assert await it.said() == "hi"
        assert it.states == ["connecting", "ready"]
        for process in it.processes():
            os.kill(process, signal.SIGKILL)
        assert await it.said() == "hi"
    assert recorded(record, "request").count("server/discover") == 1


@pytest.mark.req("MCP-11", "MCP-02")
async def test_a_server_that_dies_at_its_start_says_why_and_costs_no_other_server() -> None:
    other = echo_command("stdio")
    others = {"fine": {"command": other[0], "args": other[1:]}}
    async with used(fault_command("die-at-start"), others=others) as it:
        with pytest.raises(ServerUnavailable, match="API_KEY is not set"):
            await it.call()
        assert await it.said(server="fine") == "hi"
        status = it.servers.status()
        assert (status["it"].state, status["fine"].state) == ("failed", "ready")
        assert "ended with status 3" in (status["it"].error or "")
        assert [tool.spec.name for tool in await it.servers.tools()] == ["fine__echo"]


@pytest.mark.req("MCP-11")
async def test_a_public_server_that_crashes_at_its_start_is_told_with_its_last_words(
    tmp_path: Path,
) -> None:
    command = public_command("sqlite", "--db-path", str(tmp_path / "a.db"))
    async with used(command, timeout=30, connectTimeout=30) as it:
        with pytest.raises(ServerUnavailable, match=r"did not start.*it last wrote:\n"):
            await it.call()


@pytest.mark.req("MCP-02")
@pytest.mark.parametrize("command", ["/no/such/bin", str(Path(__file__))])
async def test_a_command_that_cannot_run_is_told_with_the_systems_words(command: str) -> None:
    async with used([command]) as it:
        with pytest.raises(ServerUnavailable) as caught:
            await it.call()
        assert command in str(caught.value)
        assert it.status.state == "failed"


@pytest.mark.req("MCP-02")
async def test_a_program_that_is_no_server_is_told_apart() -> None:
    async with used([sys.executable, "-c", "print('hello')"]) as it:
        with pytest.raises(ServerUnavailable, match="did not start"):
            await it.call()


async def test_a_server_that_fails_again_and_again_is_asked_ever_more_rarely() -> None:
    async with used(fault_command("die-at-start")) as it:
        for _ in range(5):
            with pytest.raises(ServerUnavailable):
                await it.call()
        assert "backoff" in it.states
        starts = it.states.count("connecting")
        assert starts < 5
        for _ in range(20):
            with pytest.raises(ServerUnavailable):
                await it.call()
        assert it.states.count("connecting") <= starts + 1
