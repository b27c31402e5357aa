"""Many callers at once: one reconnect for all, and nothing done twice that must not be."""

import asyncio
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from hackamore.core.errors import CallTimeout, ConnectionLost
from servers.starting import echo_command, fault_command, recorded
from servers.using import until, used

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-06")]

_MANY = 50


async def test_many_callers_of_a_server_that_was_killed_cost_one_start() -> None:
    async with used(echo_command("stdio")) as it:
        await it.servers.open()
        (process,) = it.processes()
        os.kill(process, signal.SIGKILL)
        calls = [it.said(text=str(number)) for number in range(_MANY)]
        assert await asyncio.gather(*calls) == [str(number) for number in range(_MANY)]
        assert it.states.count("connecting") == 2
        assert len(it.processes()) == 1


async def test_many_first_callers_cost_one_start() -> None:
    async with used(echo_command("stdio")) as it:
        calls = [it.said(text=str(number)) for number in range(_MANY)]
        assert await asyncio.gather(*calls) == [str(number) for number in range(_MANY)]
        assert it.states == ["connecting", "ready"]


async def test_a_server_that_dies_among_many_calls_fails_each_or_does_it_once(
    tmp_path: Path,
) -> None:
    record = tmp_path / "record"
    once = str(tmp_path / "happened")
    command = fault_command("exit-in-call", "--once", once, "--record", str(record))
    async with used(command) as it:
        await it.servers.open()
        calls = [it.said(text=str(number)) for number in range(_MANY)]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(one, str | ConnectionLost) for one in outcomes)
        assert any(isinstance(one, ConnectionLost) for one in outcomes)
        assert it.states.count("connecting") <= 2
        assert await it.said(text="after") == "after"
    done = Counter(call["arguments"]["text"] for call in recorded(record, "call"))
    assert set(done.values()) == {1}


@pytest.mark.parametrize(
    ("tool", "trust", "repeated"),
    [
        ("look", True, True),
        ("put", True, True),
        ("add", True, False),
        ("plain", True, False),
        ("look", False, False),
        ("put", False, False),
    ],
)
async def test_only_a_trusted_servers_harmless_tool_is_called_again(
    tool: str, tmp_path: Path, *, trust: bool, repeated: bool
) -> None:
    record = tmp_path / "record"
    flags = ("--once", str(tmp_path / "happened"), "--record", str(record))
    async with used(fault_command("exit-in-marked-call", *flags), trust=trust) as it:
        if repeated:
            assert await it.said(tool=tool) == "hi"
        else:
            with pytest.raises(ConnectionLost):
                await it.call(tool)
    assert len(recorded(record, "call")) == (2 if repeated else 1)


@pytest.mark.req("MCP-10")
async def test_a_call_that_timed_out_is_not_called_again_either(tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with used(fault_command("hang", "--record", str(record)), timeout=0.3, trust=True) as it:
        with pytest.raises(CallTimeout):
            await it.call()
    assert len(recorded(record, "call")) == 1


async def test_a_request_that_the_server_never_took_is_made_again_whatever_it_is(
    tmp_path: Path,
) -> None:
    log = tmp_path / "wire.log"
    async with used(echo_command("stdio", "--wire-log", str(log))) as it:
        await it.servers.open()
        (process,) = it.processes()
        os.kill(process, signal.SIGSTOP)
        call = asyncio.create_task(it.said())
        await asyncio.sleep(0.05)  # until the request lies in the pipe
        os.kill(process, signal.SIGKILL)
        assert await call == "hi"
    assert len(log.read_text(encoding="utf-8").splitlines()) == 1


@pytest.mark.parametrize("most", [0, 1, 2])
async def test_a_call_brings_its_server_back_so_often_and_no_more(
    most: int, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    command = fault_command("exit-in-marked-call", "--record", str(record))
    async with used(command, max_reconnects=most, trust=True) as it:
        with pytest.raises(ConnectionLost):
            await it.call("look")
    assert len(recorded(record, "call")) == most + 1


async def test_callers_who_cancel_do_not_disturb_the_others(tmp_path: Path) -> None:
    record = tmp_path / "record"
    command = fault_command("slow-call", "--seconds", "0.3", "--record", str(record))
    async with used(command) as it:
        calls = [asyncio.create_task(it.said(text=str(number))) for number in range(10)]
        await until(lambda: len(recorded(record, "call")) == 10)
        for call in calls[::2]:
            call.cancel()
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert [one for one in outcomes if isinstance(one, str)] == ["1", "3", "5", "7", "9"]


async def test_a_caller_who_cancels_the_opening_does_not_take_it_from_the_others() -> None:
    async with used(fault_command("slow-start", "--seconds", "0.3")) as it:
        first = asyncio.create_task(it.call())
        second = asyncio.create_task(it.said())
        await until(it.processes)
        first.cancel()
        assert await second == "hi"
        assert it.states == ["connecting", "ready"]
