"""`MCPClient` and `MCPServers` from any loop and thread, also when loops come and go."""

import asyncio
import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hackamore
from hackamore.core.errors import CallTimeout
from servers.starting import echo_command, fault_command, fault_site, recorded
from servers.using import MARK, marked_processes

pytestmark = [pytest.mark.req("LC-01", "MCP-06")]


@pytest.fixture
def mark() -> Iterator[str]:
    """Mark the processes of a test; none may be left in the end."""
    mark = uuid.uuid4().hex
    yield mark
    asyncio.run(_gone(mark))


async def _gone(mark: str) -> None:
    async with asyncio.timeout(5):
        while marked_processes(mark):  # noqa: ASYNC110  # other processes
            await asyncio.sleep(0.02)


def _entry(mark: str, command: list[str] | None = None) -> dict[str, Any]:
    command = command or echo_command("stdio")
    return {"command": command[0], "args": command[1:], "env": {MARK: mark}, "timeout": 15}


def _call(text: str) -> Any:
    return {"type": "tool_call", "id": "c1", "name": "echo", "args": {"text": text}}


def test_without_a_loop_everything_works(mark: str) -> None:
    with hackamore.MCPClient(_entry(mark)) as client:
        assert [tool.spec.name for tool in client.list_tools()] == ["echo"]
        assert client.call_tool("echo", {"text": "a"}).text == "a"
        (tool,) = client.to_langchain_tools()
        assert tool.invoke(_call("b")).content == "b"
        assert client.status.state == "ready"
        assert client.instructions == "Says back what it is told."
        assert len(marked_processes(mark)) == 1


def test_many_threads_share_one_connection(mark: str) -> None:
    with hackamore.MCPClient(_entry(mark)) as client:
        (tool,) = client.to_langchain_tools()
        said: list[str] = []

        def use(number: int) -> None:
            said.append(str(tool.invoke(_call(str(number))).content))

        threads = [threading.Thread(target=use, args=(number,)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(said, key=int) == [str(number) for number in range(16)]
        assert len(marked_processes(mark)) == 1


def test_a_tool_outlives_the_loop_that_it_was_made_in(mark: str) -> None:
    client = hackamore.MCPClient(_entry(mark))

    async def make() -> Any:
        (tool,) = await client.ato_langchain_tools()
        assert (await tool.ainvoke(_call("a"))).content == "a"
        return tool

    async def use(tool: Any) -> None:
        assert (await tool.ainvoke(_call("b"))).content == "b"
        await client.aclose()

    tool = asyncio.run(make())
    asyncio.run(_gone(mark))
    asyncio.run(use(tool))


def test_a_tool_outlives_the_loop_in_a_thread_without_one(mark: str) -> None:
    client = hackamore.MCPClient(_entry(mark))
    (tool,) = asyncio.run(client.ato_langchain_tools())
    assert tool.invoke(_call("b")).content == "b"
    assert tool.invoke(_call("c")).content == "c"
    client.close()


def test_a_call_from_another_loop_goes_to_where_the_server_lives(mark: str) -> None:
    client = hackamore.MCPClient(_entry(mark))

    async def main() -> None:
        (tool,) = await client.ato_langchain_tools()

        async def elsewhere() -> Any:
            return await tool.ainvoke(_call("from afar"))

        message = await asyncio.to_thread(asyncio.run, elsewhere())
        assert message.content == "from afar"
        assert len(marked_processes(mark)) == 1
        await client.aclose()

    asyncio.run(main())


def test_a_sync_call_inside_the_running_loop_of_the_server_does_not_wait_for_itself(
    mark: str,
) -> None:
    client = hackamore.MCPClient(_entry(mark))

    async def main() -> None:
        (tool,) = await client.ato_langchain_tools()
        assert tool.invoke(_call("inside")).content == "inside"
        assert (await tool.ainvoke(_call("after"))).content == "after"
        assert client.call_tool("echo", {"text": "again"}).text == "again"
        await client.aclose()

    asyncio.run(main())


def test_a_client_can_be_closed_from_a_thread_while_its_loop_runs(mark: str) -> None:
    client = hackamore.MCPClient(_entry(mark))

    async def main() -> None:
        await client.acall_tool("echo", {"text": "a"})
        await asyncio.to_thread(client.close)
        await _gone(mark)

    asyncio.run(main())


def test_a_client_can_be_closed_by_its_sync_face_inside_its_running_loop(mark: str) -> None:
    client = hackamore.MCPClient(_entry(mark))

    async def main() -> None:
        await client.acall_tool("echo", {"text": "a"})
        client.close()
        await _gone(mark)

    asyncio.run(main())


def test_a_client_that_is_closed_twice_or_was_never_used_is_closed(mark: str) -> None:
    client = hackamore.MCPClient(_entry(mark))
    client.close()
    client.call_tool("echo", {"text": "a"})
    client.close()
    client.close()
    assert client.call_tool("echo", {"text": "b"}).text == "b"
    client.close()


def test_a_loop_that_ends_without_a_close_leaves_no_process(mark: str) -> None:
    client = hackamore.MCPClient(_entry(mark))
    assert asyncio.run(client.acall_tool("echo", {"text": "a"})).text == "a"
    asyncio.run(_gone(mark))


def test_a_cancel_travels_to_the_loop_of_the_server(mark: str) -> None:
    client = hackamore.MCPClient(_entry(mark, fault_command("hang")))
    client.list_tools()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.acall_tool("echo", {"text": "a"}), 0.2)

    asyncio.run(main())
    client.close()


def test_a_timeout_travels_back_to_the_caller(mark: str) -> None:
    with hackamore.MCPClient(_entry(mark, fault_command("hang")) | {"timeout": 0.2}) as client:
        with pytest.raises(CallTimeout):
            client.call_tool("echo", {"text": "a"})
        (tool,) = client.to_langchain_tools()
        message = tool.invoke(_call("a"))
        assert message.status == "error"
        assert "`timeout`" in message.content


def test_progress_from_afar_is_told_where_the_watcher_is(mark: str) -> None:
    client = hackamore.MCPClient(_entry(mark, fault_command("progress")))
    tools = client.to_langchain_tools()

    async def watch() -> list[Any]:
        events = tools[0].astream_events(_call("a"), version="v2")
        return [event async for event in events if event["event"] == "on_custom_event"]

    assert len(asyncio.run(watch())) == 3
    client.close()


@pytest.mark.req("LC-07")
def test_an_interceptors_headers_reach_an_http_server(tmp_path: Path) -> None:
    async def traced(request: Any, rest: Any) -> Any:
        return await rest(replace(request, headers={"X-Trace": request.call_id}))

    record = tmp_path / "record"
    with (
        fault_site("headers", "--record", str(record)) as url,
        hackamore.MCPClient(url, interceptors=[traced]) as client,
    ):
        (tool,) = client.to_langchain_tools()
        assert tool.invoke(_call("a")).content == "a"
    arrived = recorded(record, "arrived")
    assert [one["x-trace"] for one in arrived if "x-trace" in one] == ["c1"]
