"""What servers send costs little memory; what is opened and closed leaves nothing."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-11")]

_ROOT = Path(__file__).parents[3]
_CYCLES = "50"
_MOST_KIB = 64 * 1024
_USE = """
import asyncio, sys
from pathlib import Path
from hackamore.core.errors import ConnectionLost
from servers.starting import fault_command
from servers.using import used

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])

async def endless():
    async with used(fault_command("endless"), timeout=30) as it:
        await it.servers.open()
        before = peak()
        try:
            await it.call()
        except ConnectionLost as error:
            assert "32 MiB" in str(error)
            return peak() - before

async def many():
    async with used(fault_command("none")) as it:
        await it.tools()
        before = peak()
    async with used(fault_command("many-tools")) as it:
        assert len(await it.tools()) == 1000
        return peak() - before

print(asyncio.run({"endless": endless, "many": many}[sys.argv[1]]()))
"""


async def _output(*command: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *command),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(_ROOT / "tests")},
    )
    out, _ = await process.communicate()
    return process.returncode, out.decode()


@pytest.mark.req("MCP-10")
@pytest.mark.parametrize("flood", ["endless", "many"])
async def test_a_gigabyte_without_a_line_end_and_ten_thousand_tools_cost_little_memory(
    flood: str,
) -> None:
    status, out = await _output("-c", _USE, flood)
    assert status == 0
    assert 0 <= int(out) <= _MOST_KIB


async def test_cycles_of_opening_and_closing_leave_nothing() -> None:
    status, out = await _output(str(_ROOT / "scripts" / "mcp_soak.py"), _CYCLES)
    assert (status, out) == (0, f"{_CYCLES} cycles: nothing is left\n")
