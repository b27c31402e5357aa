"""Logging in to an MCP server: once in the browser, then never again while it can be renewed."""

import asyncio
import json
import socket
import stat
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from hackamore import MCPClient, ServerUnavailable
from hackamore.core.host import Nobody
from hackamore.core.tools import ToolContext
from hackamore.mcp.entry import OAuthClient, ServerConfig, ServerEntry
from hackamore.mcp.oauth import LoginRequired, Logins
from hackamore.mcp.opening import Around
from hackamore.mcp.servers import Servers
from hackamore.mcp.token_store import FileTokenStorage

pytestmark = pytest.mark.anyio


class _Authority(Protocol):
    lasts: int
    refuses: bool
    done: list[str]
    clients: dict[str, Any]

    def forget_all(self) -> None: ...


class _Protected(Protocol):
    url: str
    authority: _Authority
    called: list[str]


def _browser(url: str) -> None:
    """Be the person's browser: go where the pages lead."""
    httpx2.get(url, follow_redirects=True).raise_for_status()


async def _call(logins: Logins, entry: ServerEntry) -> str:
    return await _call_with(logins.auth_for(entry), entry)


async def _call_with(auth: httpx2.Auth | None, entry: ServerEntry) -> str:
    async with httpx2.AsyncClient(auth=auth, timeout=10) as http:
        transport = streamable_http_client(entry.url, http_client=http)
        async with Client(transport, mode="legacy") as client:
            result = await client.call_tool("secret", {})
    return result.model_dump()["content"][0]["text"]


def _entry(protected: _Protected, **more: Any) -> ServerEntry:
    return ServerEntry("protected", transport="http", url=protected.url, **more)


@asynccontextmanager
async def _used(logins: Logins, entry: ServerEntry) -> AsyncGenerator[Servers]:
    around = Around({}, None, logins.auth_for, print)
    servers = Servers(ServerConfig((entry,)), around)
    try:
        yield servers
    finally:
        await servers.close()


async def _secret(servers: Servers) -> str:
    context = ToolContext("call", lambda _: None, Nobody())
    return (await servers.call("protected", "secret", {}, context)).text


async def _refusal(logins: Logins, entry: ServerEntry) -> LoginRequired:
    async with _used(logins, entry) as servers:
        with pytest.raises(LoginRequired) as caught:
            await servers.connect(entry.name)
        assert servers.status()[entry.name].state == "auth_required"
    return caught.value


@pytest.mark.req("MCP-12")
async def test_one_login_in_the_browser_lasts_over_restarts(
    protected: _Protected, tmp_path: Path
) -> None:
    entry = _entry(protected)
    assert await _call(Logins(tmp_path / "logins", _browser), entry) == "42"
    assert protected.authority.done == ["register", "authorize", "exchange"]
    assert await _call(Logins(tmp_path / "logins", None), entry) == "42"
    assert protected.authority.done == ["register", "authorize", "exchange"]


@pytest.mark.req("MCP-12")
async def test_tokens_that_have_ended_are_renewed_after_a_restart_without_the_person(
    protected: _Protected, tmp_path: Path
) -> None:
    protected.authority.lasts = -1
    await _call(Logins(tmp_path, _browser), _entry(protected))
    protected.authority.done.clear()
    protected.authority.lasts = 3600
    assert await _call(Logins(tmp_path, None), _entry(protected)) == "42"
    assert protected.authority.done == ["refresh"]


@pytest.mark.req("MCP-12")
async def test_two_programs_that_share_a_login_do_not_spoil_it_for_each_other(
    protected: _Protected, tmp_path: Path
) -> None:
    protected.authority.lasts = -1
    entry = _entry(protected)
    first = Logins(tmp_path, _browser).auth_for(entry)
    await _call_with(first, entry)
    protected.authority.lasts = 3600
    protected.authority.done.clear()
    assert await _call(Logins(tmp_path, None), entry) == "42"
    assert await _call_with(first, entry) == "42"
    assert protected.authority.done == ["refresh", "refresh"]


@pytest.mark.req("MCP-12")
async def test_a_login_is_kept_where_only_its_owner_can_read_it(
    protected: _Protected, tmp_path: Path
) -> None:
    await _call(Logins(tmp_path / "logins", _browser), _entry(protected))
    (file,) = (tmp_path / "logins").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert json.loads(file.read_text())["server"] == "protected"


@pytest.mark.req("MCP-12")
async def test_a_login_for_one_address_is_not_used_for_another(
    protected: _Protected, tmp_path: Path
) -> None:
    await _call(Logins(tmp_path, _browser), _entry(protected))
    other = FileTokenStorage(tmp_path, "protected", "https://elsewhere.example/mcp")
    assert await other.get_tokens() is None


@pytest.mark.req("MCP-12", "UX-06")
async def test_where_nobody_could_log_in_the_authorization_server_hears_nothing(
    protected: _Protected, tmp_path: Path
) -> None:
    entry = _entry(protected)
    assert Logins(tmp_path, None).auth_for(entry) is None
    config = {"url": entry.url, "type": "http"}
    async with MCPClient(config, name="protected", token_store=tmp_path) as client:
        with pytest.raises(ServerUnavailable, match="hackamore mcp login protected"):
            await client.acall_tool("secret", {})
        assert client.status.state == "auth_required"
    assert protected.authority.done == []


@pytest.mark.req("MCP-12", "UX-06")
async def test_where_no_browser_can_be_opened_nobody_is_waited_for(
    protected: _Protected, tmp_path: Path
) -> None:
    pages: list[str] = []

    def cannot(url: str) -> bool:
        pages.append(url)
        return False

    error = await _refusal(Logins(tmp_path, cannot), _entry(protected))
    assert "no browser could be opened" in str(error)
    assert len(pages) == 1


@pytest.mark.req("MCP-12", "MCP-10")
async def test_the_persons_time_is_not_counted_against_the_server(
    protected: _Protected, tmp_path: Path
) -> None:
    def think(url: str) -> None:
        threading.Event().wait(1.2)
        _browser(url)

    entry = _entry(protected, connect_timeout=1.0)
    async with _used(Logins(tmp_path, think), entry) as servers:
        assert await _secret(servers) == "42"


@pytest.mark.req("MCP-12", "MCP-06")
async def test_a_login_that_ends_while_nobody_is_there_is_said_at_the_next_call_and_can_be_renewed(
    protected: _Protected, tmp_path: Path
) -> None:
    async with _used(Logins(tmp_path, _browser), _entry(protected)) as servers:
        assert await _secret(servers) == "42"
    async with _used(Logins(tmp_path, None), _entry(protected)) as servers:
        assert await _secret(servers) == "42"
        protected.authority.forget_all()
        with pytest.raises(LoginRequired, match="nobody is here"):
            await _secret(servers)
        async with _used(Logins(tmp_path, _browser), _entry(protected)) as elsewhere:
            await elsewhere.connect("protected")
        assert await _secret(servers) == "42"
    assert protected.called == ["secret"] * 3


@pytest.mark.req("MCP-12")
async def test_a_refusal_ends_the_login_with_the_servers_reason(
    protected: _Protected, tmp_path: Path
) -> None:
    protected.authority.refuses = True
    pages: list[str] = []

    def browse(url: str) -> None:
        pages.append(httpx2.get(url, follow_redirects=True).text)

    error = await _refusal(Logins(tmp_path, browse), _entry(protected))
    assert "refused: access_denied: the person said <no>" in str(error)
    assert "the person said &lt;no&gt;" in pages[0]


@pytest.mark.req("MCP-12")
async def test_a_person_who_never_logs_in_is_not_waited_for_without_end(
    protected: _Protected, tmp_path: Path
) -> None:
    error = await _refusal(Logins(tmp_path, lambda _: None, limit=0.2), _entry(protected))
    assert "did not come about within 0.2 s" in str(error)


@pytest.mark.req("MCP-12")
async def test_other_requests_and_wrong_states_do_not_disturb_a_login(
    protected: _Protected, tmp_path: Path
) -> None:
    seen: list[int] = []

    def browse(url: str) -> None:
        back = parse_qs(urlsplit(url).query)["redirect_uri"][0]
        origin = back.removesuffix("/callback")
        spare = socket.create_connection((urlsplit(back).hostname or "", urlsplit(back).port or 0))
        paths = ("/favicon.ico", "/", "/callback", "/callback?code=x&state=guess", "//x:y/")
        seen.extend(httpx2.get(f"{origin}{path}").status_code for path in paths)
        wrong_host = {"Host": "evil.example"}
        state = parse_qs(urlsplit(url).query)["state"][0]
        answer = httpx2.get(f"{back}?code=x&state={state}", headers=wrong_host)
        seen.append(answer.status_code)
        _browser(url)
        spare.close()

    assert await _call(Logins(tmp_path, browse), _entry(protected)) == "42"
    assert seen == [404] * 6


@pytest.mark.req("MCP-12")
async def test_a_cancelled_login_leaves_nothing_listening(
    protected: _Protected, tmp_path: Path
) -> None:
    shown = threading.Event()
    pages: list[str] = []

    def browse(url: str) -> None:
        pages.append(url)
        shown.set()

    task = asyncio.create_task(_call(Logins(tmp_path, browse), _entry(protected)))
    await asyncio.to_thread(shown.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    back = urlsplit(parse_qs(urlsplit(pages[0]).query)["redirect_uri"][0])
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((back.hostname or "", back.port or 0))


@pytest.mark.req("MCP-12")
async def test_a_taken_port_is_said_and_the_next_try_works(
    protected: _Protected, tmp_path: Path
) -> None:
    entry = _entry(protected)
    store = FileTokenStorage(tmp_path, entry.name, entry.url)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        fixed = _entry(protected, oauth=OAuthClient(port=taken.getsockname()[1]))
        error = await _refusal(Logins(tmp_path, _browser), fixed)
    assert "port" in str(error)
    assert await store.get_client_info() is None
    assert await _call(Logins(tmp_path, _browser), entry) == "42"


@pytest.mark.req("MCP-12")
async def test_a_second_login_comes_back_to_the_port_that_is_registered(
    protected: _Protected, tmp_path: Path
) -> None:
    entry = _entry(protected)
    error = await _refusal(Logins(tmp_path, lambda _: None, limit=0.1), entry)
    assert error
    assert await _call(Logins(tmp_path, _browser), entry) == "42"
    assert protected.authority.done == ["register", "authorize", "exchange"]


@pytest.mark.req("MCP-12")
async def test_a_client_registered_by_hand_does_not_register_again(
    protected: _Protected, tmp_path: Path
) -> None:
    first = _entry(protected)
    await _call(Logins(tmp_path / "a", _browser), first)
    (known,) = protected.authority.clients.values()
    client = OAuthClient(
        client_id=known.client_id,
        client_secret=known.client_secret or "",
        port=known.redirect_uris[0].port,
    )
    known.token_endpoint_auth_method = "client_secret_basic"
    protected.authority.done.clear()
    entry = _entry(protected, oauth=client)
    assert await _call(Logins(tmp_path / "b", _browser), entry) == "42"
    assert protected.authority.done == ["authorize", "exchange"]


@pytest.mark.req("MCP-12")
def test_a_server_with_an_authorization_header_or_on_stdio_has_no_login(tmp_path: Path) -> None:
    logins = Logins(tmp_path, _browser)
    header = ServerEntry("a", transport="http", url="https://h", headers={"authorization": "B x"})
    assert logins.auth_for(header) is None
    assert logins.auth_for(ServerEntry("b", command="x")) is None


def _damaged(folder: Path, text: str) -> FileTokenStorage:
    store = FileTokenStorage(folder, "a", "https://h")
    store.keep_discovered(None, None)
    next(folder.iterdir()).write_text(text)
    return store


@pytest.mark.req("MCP-12")
@pytest.mark.parametrize("text", ["", "{", "[]", '{"tokens": 5}', '{"tokens": {}, "ends": "x"}'])
async def test_a_damaged_file_counts_as_no_login(tmp_path: Path, text: str) -> None:
    store = _damaged(tmp_path, text)
    assert await store.get_tokens() is None
    assert await store.get_client_info() is None
    assert store.ends() is None
    assert store.discovered() == (None, None)
    assert store.forget()
    assert not store.forget()
