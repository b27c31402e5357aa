"""One contender of the MCP benchmark, in a process of its own, led by lines on stdin.

Started by mcp_bench.py with the Python of the contender's own environment:
``python mcp_contender.py NAME TARGET``, where TARGET is a URL or a command as JSON. It says on
stdout what its imports cost, then answers ``sequential N`` and ``together N AT_ONCE`` with a line
of JSON each, until stdin ends. Only the standard library is imported here.
"""

import asyncio
import json
import os
import statistics
import sys
import time
import warnings
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TextIO, TypeAlias

Say: TypeAlias = Callable[[str], Awaitable[str]]
Target: TypeAlias = str | list[str]
Contender: TypeAlias = Callable[[Target], AbstractAsyncContextManager[Say]]
_STARTED: Final = time.process_time()


@asynccontextmanager
async def floor(target: Target) -> AsyncGenerator[Say]:
    """Hand-written asyncio."""
    module = import_module("mcp_floor")
    opened = module.floor_http if isinstance(target, str) else module.floor_stdio
    async with opened(target) as client:
        yield client.say


@asynccontextmanager
async def sdk(target: Target) -> AsyncGenerator[Say]:
    """The protocol's own SDK, its Client."""
    module = import_module("mcp")
    async with module.Client(_sdk_target(module, target), mode="legacy") as client:
        await client.list_tools()

        async def say(text: str) -> str:
            return (await client.call_tool("echo", {"text": text})).content[0].text

        yield say


@asynccontextmanager
async def adapters_kept(target: Target) -> AsyncGenerator[Say]:
    """langchain-mcp-adapters, one session kept open."""
    clients = import_module("langchain_mcp_adapters.client")
    load_tools = import_module("langchain_mcp_adapters.tools").load_mcp_tools
    client = clients.MultiServerMCPClient({"e": _adapters_entry(target)})
    async with client.session("e") as session:
        yield _invoking((await load_tools(session))[0])


@asynccontextmanager
async def adapters_default(target: Target) -> AsyncGenerator[Say]:
    """langchain-mcp-adapters as it is shown first: a session for each call."""
    clients = import_module("langchain_mcp_adapters.client")
    client = clients.MultiServerMCPClient({"e": _adapters_entry(target)})
    yield _invoking((await client.get_tools())[0])


@asynccontextmanager
async def mcp_use(target: Target) -> AsyncGenerator[Say]:
    """mcp-use's LangChain tools."""
    module = import_module("mcp_use")
    adapter = import_module("mcp_use.agents.adapters.langchain_adapter").LangChainAdapter()
    client = module.MCPClient.from_dict({"mcpServers": {"e": _entry(target)}})
    try:
        await client.create_all_sessions()
        await adapter.create_all(client)
        yield _invoking(adapter.tools[0])
    finally:
        await client.close_all_sessions()


@asynccontextmanager
async def langchain_mcp(target: Target) -> AsyncGenerator[Say]:
    """LangChain's own adapter, in beta, kept open."""
    adapters = import_module("langchain.mcp.adapter")
    async with adapters.MCPAdapter(_fastmcp_target(target)) as adapter:
        yield _invoking((await adapter.list_tools())[0])


@asynccontextmanager
async def fastmcp(target: Target) -> AsyncGenerator[Say]:
    """fastmcp's client, no LangChain."""
    module = import_module("fastmcp")
    async with module.Client(_fastmcp_target(target)) as client:

        async def say(text: str) -> str:
            return (await client.call_tool("echo", {"text": text})).content[0].text

        yield say


@asynccontextmanager
async def ours(target: Target) -> AsyncGenerator[Say]:
    """Hackamore, a bare call."""
    module = import_module("hackamore")
    async with module.MCPServers({"mcpServers": {"e": _entry(target)}}) as servers:

        async def say(text: str) -> str:
            return (await servers.call_tool("e", "echo", {"text": text})).text

        yield say


@asynccontextmanager
async def ours_langchain(target: Target) -> AsyncGenerator[Say]:
    """Hackamore's LangChain tools."""
    module = import_module("hackamore")
    async with module.MCPServers({"mcpServers": {"e": _entry(target)}}) as servers:
        yield _invoking((await servers.langchain_tools())[0])


CONTENDERS: Final[dict[str, Contender]] = {
    "floor": floor,
    "sdk": sdk,
    "adapters_kept": adapters_kept,
    "adapters_default": adapters_default,
    "mcp_use": mcp_use,
    "langchain_mcp": langchain_mcp,
    "fastmcp": fastmcp,
    "ours": ours,
    "ours_langchain": ours_langchain,
}


def _invoking(tool: Any) -> Say:
    """Return a call of a LangChain tool, as a model's tool call would run it."""

    async def say(text: str) -> str:
        return str(await tool.ainvoke({"text": text}))

    return say


def _entry(target: Target) -> dict[str, Any]:
    if isinstance(target, str):
        return {"url": target}
    return {"command": target[0], "args": target[1:]}


def _adapters_entry(target: Target) -> dict[str, Any]:
    transport = "streamable_http" if isinstance(target, str) else "stdio"
    return _entry(target) | {"transport": transport}


def _sdk_target(module: Any, target: Target) -> Any:
    if isinstance(target, str):
        return target
    return module.StdioServerParameters(command=target[0], args=target[1:])


def _fastmcp_target(target: Target) -> Any:
    if isinstance(target, str):
        return target
    transports = import_module("fastmcp.client.transports")
    return transports.StdioTransport(command=target[0], args=target[1:])


async def sequential(say: Say, count: int) -> dict[str, float]:
    """Make calls one after the other."""
    walls: list[float] = []
    before = time.process_time()
    for _ in range(count):
        began = time.perf_counter()
        await say("hello")
        walls.append(time.perf_counter() - began)
    spent = time.process_time() - before
    return {"cpu_us": spent / count * 1e6, "p50_us": statistics.median(walls) * 1e6}


async def together(say: Say, count: int, at_once: int) -> dict[str, float]:
    """Make calls from several tasks."""

    async def caller() -> None:
        for _ in range(count // at_once):
            await say("hello")

    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(at_once)))
    return {"per_second": count // at_once * at_once / (time.perf_counter() - began)}


def resident() -> float:
    """Return the memory of this process in MB."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


async def main(lead: TextIO) -> None:
    warnings.simplefilter("ignore")
    name, target = sys.argv[1], json.loads(sys.argv[2])
    async with CONTENDERS[name](target) as say:
        answer = await say("hello")
        assert "hello" in answer, answer
        spent = (time.process_time() - _STARTED) * 1000
        print(json.dumps({"start_ms": spent, "rss_mb": resident()}), file=lead, flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            kind, *numbers = line.split()
            measure = sequential if kind == "sequential" else together
            print(json.dumps(await measure(say, *map(int, numbers))), file=lead, flush=True)


if __name__ == "__main__":
    with os.fdopen(os.dup(1), "w") as mouthpiece:
        os.dup2(2, 1)  # some contenders print
        asyncio.run(main(mouthpiece))
