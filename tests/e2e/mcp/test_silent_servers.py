"""Servers that say nothing, or do not go away: every wait ends, and nothing is left."""

import asyncio
import os
import signal
import sys
import time
import uuid
from pathlib import Path

import pytest

from hackamore.core.codes import Code
from hackamore.core.errors import CallTimeout, MCPError, ServerUnavailable
from servers.starting import fault_command, public_command, recorded
from servers.using import marked_processes, until, used

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-10")]

_HOLDER = """
import asyncio, os, sys
from servers.starting import fault_command
from hackamore import MCPServers

def entry(*fault):
    command = fault_command(*fault)
    return {"command": command[0], "args": command[1:], "env": {"SERVER_OF_TEST": sys.argv[1]}}

async def hold():
    faults = {"tree": entry("grandchild"), "deaf": entry("ignore-end"), "plain": entry("none")}
    servers = MCPServers({"mcpServers": faults})
    await servers.open()
    print("ready", flush=True)
    await asyncio.sleep(60)

asyncio.run(hold())
"""


def _cancelled(record: Path) -> list[object]:
    told = recorded(record, "notification")
    return [one["params"]["requestId"] for one in told if one["method"].endswith("/cancelled")]


async def test_a_call_that_hangs_ends_by_the_timeout_and_the_server_is_told(
    tmp_path: Path,
) -> None:
    record = tmp_path / "record"
    command = fault_command("hang", "--record", str(record), "--once", str(tmp_path / "once"))
    async with used(command, timeout=0.4) as it:
        await it.servers.open()
        begun = time.monotonic()
        with pytest.raises(CallTimeout) as caught:
            await it.call()
        assert 0.35 < time.monotonic() - begun < 1.4
        words = str(caught.value)
        assert "'it' took longer than 0.4 s for the call of 'echo'" in words
        assert "`timeout`" in words
        assert caught.value.code is Code.MCP_TIMEOUT
        await until(lambda: _cancelled(record))
        assert await it.said() == "hi"
        assert it.states == ["connecting", "ready"]


async def test_a_caller_who_cancels_leaves_at_once_and_the_server_is_told(tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with used(fault_command("hang", "--record", str(record))) as it:
        call = asyncio.create_task(it.call())
        await until(lambda: recorded(record, "call"))
        begun = time.monotonic()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert time.monotonic() - begun < 0.2
        await until(lambda: _cancelled(record))


async def test_a_call_within_its_timeout_is_waited_for() -> None:
    async with used(fault_command("slow-call", "--seconds", "0.4"), timeout=10) as it:
        assert await it.said() == "hi"


@pytest.mark.parametrize("fault", ["mute-at-initialize", "mute-at-list"])
async def test_a_server_that_never_gets_ready_costs_its_connect_timeout_once(fault: str) -> None:
    async with used(fault_command(fault), connectTimeout=1) as it:
        begun = time.monotonic()
        with pytest.raises(ServerUnavailable) as caught:
            await it.call()
        assert 0.9 < time.monotonic() - begun < 1.9
        words = str(caught.value)
        assert "'it' was not ready within 1 s" in words
        assert "`connectTimeout`" in words
        assert it.status.state == "failed"


@pytest.mark.req("MCP-04")
async def test_a_server_that_ignores_the_newest_protocol_is_taken_for_an_older_one(
    tmp_path: Path,
) -> None:
    record = tmp_path / "record"
    command = fault_command("mute-at-discover", "--record", str(record))
    async with used(command, connectTimeout=3) as it:
        assert await it.said() == "hi"
        assert it.status.protocol == "2025-11-25"
        os.kill(it.processes()[0], signal.SIGKILL)
        begun = time.monotonic()
        assert await it.said() == "hi"
        assert time.monotonic() - begun < 1.4
    assert recorded(record, "request").count("server/discover") == 1


async def test_a_server_that_starts_slowly_is_waited_for() -> None:
    async with used(fault_command("slow-start", "--seconds", "0.5")) as it:
        assert await it.said() == "hi"


@pytest.mark.req("MCP-11")
async def test_a_server_that_ignores_the_end_of_stdin_and_sigterm_is_killed() -> None:
    async with used(fault_command("ignore-end")) as it:
        assert await it.said() == "hi"
        assert it.processes()
        begun = time.monotonic()
        await it.servers.close()
        assert time.monotonic() - begun < 3
        assert not it.processes()


@pytest.mark.req("MCP-11")
async def test_many_stubborn_servers_are_ended_at_once() -> None:
    stubborn = fault_command("ignore-end")
    others = {f"s{n}": {"command": stubborn[0], "args": stubborn[1:]} for n in range(4)}
    async with used(stubborn, others=others) as it:
        await it.servers.open()
        begun = time.monotonic()
        await it.servers.close()
        assert time.monotonic() - begun < 3.5


@pytest.mark.req("MCP-11")
@pytest.mark.parametrize("ending", ["close", "kill"])
async def test_what_a_server_started_goes_with_it(ending: str, tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with used(fault_command("grandchild", "--record", str(record))) as it:
        assert await it.said() == "hi"
        (grandchild,) = recorded(record, "pid")
        (server,) = set(it.processes()) - {grandchild}
        assert os.getpgid(grandchild) == server
        if ending == "kill":
            os.kill(server, signal.SIGKILL)
        else:
            await it.servers.close()
        await until(lambda: not it.processes())


@pytest.mark.req("MCP-11")
async def test_a_public_server_that_ignores_the_end_of_stdin_is_ended_too() -> None:
    async with used(public_command("everything"), timeout=30, connectTimeout=30) as it:
        assert await it.servers.tools()


@pytest.mark.req("MCP-11")
async def test_closing_while_it_connects_leaves_nothing() -> None:
    async with used(fault_command("mute-at-initialize"), connectTimeout=20) as it:
        opening = asyncio.create_task(it.servers.open())
        await until(it.processes)
        begun = time.monotonic()
        await it.servers.close()
        assert time.monotonic() - begun < 3
        await opening
        assert it.status.state == "stopped"


@pytest.mark.req("MCP-11")
async def test_closing_during_a_call_ends_the_call(tmp_path: Path) -> None:
    record = tmp_path / "record"
    async with used(fault_command("hang", "--record", str(record))) as it:
        call = asyncio.create_task(it.call())
        await until(lambda: recorded(record, "call"))
        begun = time.monotonic()
        await it.servers.close()
        with pytest.raises(MCPError):
            await call
        assert time.monotonic() - begun < 3


@pytest.mark.req("MCP-11")
async def test_a_call_that_begins_while_the_server_is_closed_ends_too() -> None:
    async with used(fault_command("hang")) as it:
        await it.servers.open()
        call = asyncio.create_task(it.call())
        await asyncio.sleep(0)
        begun = time.monotonic()
        await it.servers.close()
        with pytest.raises(MCPError):
            await call
        assert time.monotonic() - begun < 3


@pytest.mark.req("MCP-11")
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
async def test_no_process_is_left_when_their_holder_is_killed(sign: signal.Signals) -> None:
    mark = uuid.uuid4().hex
    holder = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _HOLDER, mark),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert holder.stdout is not None
    assert await holder.stdout.readline() == b"ready\n"
    assert len(marked_processes(mark)) == 4
    holder.send_signal(sign)
    await holder.wait()
    await until(lambda: not marked_processes(mark), seconds=2)
