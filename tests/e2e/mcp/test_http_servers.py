"""Servers at addresses: lost sessions, lost connections, refusals, redirects, headers, proxies."""

import asyncio
import contextlib
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from hackamore.core.errors import CallTimeout, ConnectionLost, MCPError, ServerUnavailable
from servers.starting import fault_command, fault_site, modern_command, recorded, served
from servers.using import until, used

pytestmark = [pytest.mark.anyio, pytest.mark.req("MCP-03")]

_LOST = (
    "lost-404",
    "lost-404-32600",
    "lost-400-32600",
    "lost-404-32603",
    "lost-400-32603",
    "lost-200-32600",
)
_KEY = {"Authorization": "Bearer canary-7"}


@pytest.mark.req("MCP-06")
@pytest.mark.parametrize("fault", _LOST)
async def test_a_lost_session_is_begun_anew_and_the_call_is_done_once(
    fault: str, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    with fault_site(fault, "--record", str(record)) as url:
        async with used([], url=url) as it:
            assert [await it.said(text=one) for one in "abc"] == ["a", "b", "c"]
            assert it.states == ["connecting", "ready", "idle", "connecting", "ready"]
    assert [call["arguments"]["text"] for call in recorded(record, "call")] == ["a", "b", "c"]


@pytest.mark.req("MCP-06")
@pytest.mark.parametrize("fault", ["drop-in-call", "drop-stream", "end-stream-early"])
async def test_a_connection_lost_in_a_call_is_told_and_nothing_is_repeated(
    fault: str, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    with fault_site(fault, "--record", str(record)) as url:
        async with used([], url=url) as it:
            with pytest.raises(ConnectionLost, match="Whether it was done is not known"):
                await it.call()
    assert len(recorded(record, "call")) == 1


@pytest.mark.req("MCP-06")
@pytest.mark.parametrize("fault", ["drop-in-call", "drop-stream"])
async def test_after_a_lost_connection_the_next_call_works(fault: str, tmp_path: Path) -> None:
    with fault_site(fault, "--once", str(tmp_path / "happened")) as url:
        async with used([], url=url) as it:
            with pytest.raises(ConnectionLost):
                await it.call()
            assert await it.said() == "hi"


def _free_url() -> str:
    """Return an address at which nothing listens any more."""
    with served(fault_command("none", "--http")) as url:
        return url


def _site_at(url: str) -> AbstractContextManager[str]:
    return served(fault_command("none", "--http", "--port", str(httpx2.URL(url).port)))


@pytest.mark.req("MCP-06")
async def test_a_site_that_was_down_is_found_again_when_it_is_back() -> None:
    url = _free_url()
    async with used([], url=url) as it:
        with pytest.raises(ServerUnavailable, match="cannot be reached"):
            await it.call()
        with _site_at(url):
            async with asyncio.timeout(10):
                while it.status.state != "ready":
                    with contextlib.suppress(ServerUnavailable):  # it is asked ever more rarely
                        await it.servers.connect("it")
                    await asyncio.sleep(0.1)
            assert await it.said() == "hi"


@pytest.mark.req("MCP-06")
async def test_a_site_that_was_started_anew_between_two_calls_costs_none() -> None:
    url = _free_url()
    async with used([], url=url) as it:
        for _ in range(2):
            with _site_at(url):
                assert await it.said() == "hi"


@pytest.mark.req("MCP-06")
async def test_nothing_listens_there(tmp_path: Path) -> None:
    with served(fault_command("none", "--http")) as url:
        pass
    async with used([], url=url) as it:
        begun = time.monotonic()
        with pytest.raises(ServerUnavailable) as caught:
            await it.call()
        assert f"cannot be reached at {url}" in str(caught.value)
        assert "Is it running?" in str(caught.value)
        assert time.monotonic() - begun < 6
        assert it.states.count("connecting") == 4


@pytest.mark.req("MCP-10")
@pytest.mark.parametrize("sse", [(), ("--sse",)])
async def test_a_call_that_hangs_over_http_ends_and_the_server_is_told(
    sse: tuple[str, ...], tmp_path: Path
) -> None:
    record = tmp_path / "record"
    with fault_site("hang", "--record", str(record), *sse) as url:
        async with used([], url=url, timeout=0.4) as it:
            with pytest.raises(CallTimeout, match="`timeout`"):
                await it.call()
            await until(
                lambda: any(
                    told["method"] == "notifications/cancelled"
                    for told in recorded(record, "notification")
                )
            )


@pytest.mark.req("MCP-10")
async def test_a_site_that_answers_no_byte_costs_the_timeout() -> None:
    with fault_site("slow-headers", "--seconds", "5") as url:
        async with used([], url=url, timeout=0.4) as it:
            await it.servers.open()
            begun = time.monotonic()
            with pytest.raises(CallTimeout):
                await it.call()
            assert time.monotonic() - begun < 1.4


@pytest.mark.req("MCP-06")
async def test_an_overloaded_site_is_told_with_its_status_and_kept(tmp_path: Path) -> None:
    with fault_site("overloaded", "--once", str(tmp_path / "happened")) as url:
        async with used([], url=url) as it:
            with pytest.raises(MCPError, match="HTTP status 503"):
                await it.call()
            assert await it.said() == "hi"


@pytest.mark.req("MCP-02")
async def test_an_address_that_is_no_server_is_told() -> None:
    with fault_site("not-mcp") as url:
        async with used([], url=url) as it:
            with pytest.raises(MCPError, match="text/html"):
                await it.call()
            assert it.status.state == "failed"


@pytest.mark.req("MCP-12")
async def test_a_site_that_wants_a_login_says_how() -> None:
    with fault_site("unauthorized") as url:
        async with used([], url=url) as it:
            with pytest.raises(ServerUnavailable, match="hackamore mcp login it"):
                await it.call()
            assert it.status.state == "auth_required"


@pytest.mark.req("MCP-12")
async def test_a_redirect_takes_nothing_to_another_origin(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with fault_site("redirect", "--record", str(record)) as url:
        async with used([], url=url, headers=_KEY) as it:
            with pytest.raises(MCPError, match="not followed"):
                await it.call()
    assert recorded(record, "arrived") == []


@pytest.mark.req("MCP-12", "LC-07")
async def test_headers_of_the_entry_and_of_a_call_reach_the_site(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with fault_site("headers", "--record", str(record)) as url:
        async with used([], url=url, headers=_KEY) as it:
            (tool,) = await it.servers.tools()
            await tool.run({"text": "a"}, it.context({"X-Trace": "42"}))
            await tool.run({"text": "b"}, it.context())
    arrived: list[dict[str, Any]] = recorded(record, "arrived")
    assert all(one["authorization"] == "Bearer canary-7" for one in arrived)
    assert [one["x-trace"] for one in arrived if "x-trace" in one] == ["42"]


@pytest.mark.parametrize("kind", [{}, {"type": "sse"}])
async def test_a_site_of_the_old_kind_is_spoken_to_in_its_way(
    kind: dict[str, Any], tmp_path: Path
) -> None:
    record = tmp_path / "record"
    with fault_site("legacy-sse", "--record", str(record)) as url:
        async with used([], url=url, headers=_KEY, **kind) as it:
            assert [await it.said(text="a"), await it.said(text="b")] == ["a", "b"]
    assert all(one["authorization"] == "Bearer canary-7" for one in recorded(record, "arrived"))


@pytest.mark.req("MCP-12")
async def test_an_old_site_cannot_send_messages_to_another_origin(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with fault_site("legacy-sse-foreign", "--record", str(record)) as url:
        async with used([], url=url, headers=_KEY, connectTimeout=1) as it:
            with pytest.raises(ServerUnavailable):
                await it.call()
    assert recorded(record, "arrived") == []


@pytest.mark.req("MCP-04")
@pytest.mark.parametrize(
    ("flag", "protocol", "revision"),
    [
        ("--http", "auto", "2026-07-28"),
        ("--http", "legacy", "2025-11-25"),
        ("--http", "2026-07-28", "2026-07-28"),
        ("--http", "2025-06-18", "2025-11-25"),
        ("--sse", "auto", "2025-11-25"),
    ],
)
async def test_a_proper_server_is_spoken_to_in_either_era(
    flag: str, protocol: str, revision: str
) -> None:
    with served(modern_command(flag)) as url:
        address = url.replace("/mcp", "/sse") if flag == "--sse" else url
        async with used([], url=address, protocol=protocol) as it:
            assert (await it.call("protocol")).text == revision
            assert it.status.protocol == revision


@pytest.mark.req("MCP-10")
async def test_a_result_of_20_megabytes_arrives_over_http() -> None:
    with fault_site("long-result") as url:
        async with used([], url=url, timeout=20) as it:
            assert len((await it.call()).text) == 20 * 1024 * 1024
