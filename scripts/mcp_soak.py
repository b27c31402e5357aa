"""Opens and closes MCP servers again and again and fails when anything is left of them.

``scripts/mcp_soak.py [CYCLES]``: descriptors, tasks, threads, child processes and memory are
counted after some cycles that warm up, and again at the end.
"""

import argparse
import asyncio
import gc
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hackamore import MCPServers

_WARMING_UP: Final = 3
_ALLOWED_KIB: Final = 16 * 1024
_ECHO: Final = ("-m", "hackamore.testing.echo_server")


@dataclass(frozen=True, slots=True)
class Held:
    """What this process holds."""

    descriptors: int
    tasks: int
    threads: int
    children: int
    memory: int

    def more_than(self, before: "Held") -> list[str]:
        """Say what there is more of than before."""
        counted = ("descriptors", "tasks", "threads", "children")
        grown = [name for name in counted if getattr(self, name) > getattr(before, name)]
        if self.memory > before.memory + _ALLOWED_KIB:
            grown.append("memory")
        return [f"{name}: {getattr(before, name)} → {getattr(self, name)}" for name in grown]


def held() -> Held:
    """Count what this process holds; memory in KiB."""
    gc.collect()
    me = os.getpid()
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return Held(
        descriptors=len(list(Path("/proc/self/fd").iterdir())),
        tasks=len(asyncio.all_tasks()),
        threads=threading.active_count(),
        children=len(Path(f"/proc/{me}/task/{me}/children").read_text(encoding="utf-8").split()),
        memory=int(resident.split()[1]),
    )


async def cycle(url: str) -> None:
    """Open a server of each kind, call each once, close both."""
    stdio = {"command": sys.executable, "args": [*_ECHO, "stdio"]}
    async with MCPServers({"mcpServers": {"a": stdio, "b": {"url": url}}}) as servers:
        for name in ("a", "b"):
            output = await servers.call_tool(name, "echo", {"text": "hi"})
            if output.text != "hi":
                raise ValueError(output)


async def soak(url: str, cycles: int) -> list[str]:
    """Run so many cycles and return what is left of them."""
    for _ in range(_WARMING_UP):
        await cycle(url)
    before = held()
    for _ in range(cycles):
        await cycle(url)
    return held().more_than(before)


def main() -> int:
    """Soak, and tell what was left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cycles", nargs="?", type=int, default=1000)
    cycles: int = parser.parse_args().cycles
    command = [sys.executable, *_ECHO, "http", "--until-eof"]
    with subprocess.Popen(command, stdin=-1, stdout=subprocess.PIPE, text=True) as site:
        port = site.stdout.readline().strip() if site.stdout else ""
        left = asyncio.run(soak(f"http://127.0.0.1:{port}/mcp", cycles))
        site.kill()
    print(f"{cycles} cycles: " + (", ".join(left) or "nothing is left"))
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
