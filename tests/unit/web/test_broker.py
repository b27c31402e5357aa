"""Pages over a real connection to this machine, from servers good and bad."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from hackamore.core.codes import Code
from hackamore.core.web import FetchError
from hackamore.web.broker import Broker
from hackamore.web.converter import Converter
from hackamore.web.rules import HostRules

pytestmark = [pytest.mark.anyio, pytest.mark.req("TOOL-01", "SBX-01")]

_HERE = HostRules(["127.0.0.1"])
_Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def _http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


@asynccontextmanager
async def _serving(serve: _Serve) -> AsyncGenerator[str]:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def _answers(*answers: bytes, asked: list[bytes] | None = None) -> _Serve:
    waiting = list(answers)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        if asked is not None:
            asked.append(request)
        writer.write(waiting.pop(0) if len(waiting) > 1 else waiting[0])
        await writer.drain()
        await reader.read()

    return serve


def _broker(rules: HostRules = _HERE, **options: object) -> Broker:
    return Broker(rules, Converter(seconds=25), **options)  # type: ignore[arg-type]  # options of each test


async def test_html_becomes_markdown_with_links_that_hold_anywhere() -> None:
    page = (
        b"<html><head><title>T</title><style>x{}</style></head><body><nav>menu</nav>"
        b"<h1>Hello</h1><script>evil()</script><p>See <a href='../b?c'>this</a>.</p></body></html>"
    )
    asked: list[bytes] = []
    answer = _http(page, "Content-Type: text/html; charset=utf-8")
    async with _serving(_answers(answer, asked=asked)) as site:
        got = await _broker().fetch(f"{site}/a/x")
    assert got.text == f"# T\n\n# Hello\n\nSee [this]({site}/b?c)."
    assert (got.status, got.media_type, got.truncated) == (200, "text/html", False)
    assert b"cookie" not in asked[0].lower()
    assert b"authorization" not in asked[0].lower()


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        (b'{"a": 1}', "application/json", '{"a": 1}'),
        ("ä".encode("latin-1"), "text/plain; charset=iso-8859-1", "ä"),
        ("\ufeffä".encode("utf-16-le"), "text/plain", "ä"),
        ("日本".encode("shift_jis"), "text/plain; charset=Shift_JIS", "日本"),
        ('<meta charset="koi8-r"><p>да'.encode("koi8-r"), "text/html", "да"),
        ("ä".encode(), "text/plain; charset=nonsense", "ä"),
        ("ä".encode(), "text/plain; charset=hex", "ä"),
        ("ä".encode("cp1252") + b"b", "text/plain; charset=punycode", "äb"),
        ("ä".encode("cp1252") + b"b", "text/plain", "äb"),
        ("日".encode("utf-16-le"), 'text/plain; x="y"; Charset="UTF-16LE"', "日"),
        (b"plain", "", "plain"),
        (b"\x89PNG\0", "image/png", None),
        (b"a\0b", "", None),
    ],
)
@pytest.mark.req("TOOL-03")
async def test_text_is_read_in_its_charset_and_binary_is_not_text(
    body: bytes, kind: str, text: str | None
) -> None:
    async with _serving(_answers(_http(body, f"Content-Type: {kind}"))) as site:
        page = await _broker().fetch(site)
    assert page.text == text
    assert page.size == len(body)


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("gzip", gzip.compress(b"0" * 50_000_000)),
        ("deflate", zlib.compress(b"0" * 50_000_000)),
        ("identity", b"0" * 300_000),
    ],
)
@pytest.mark.req("TOOL-03")
async def test_a_page_is_read_up_to_its_limit_after_decompression(
    encoding: str, data: bytes
) -> None:
    answer = _http(data, "Content-Type: text/plain", f"Content-Encoding: {encoding}")
    async with _serving(_answers(answer)) as site:
        page = await _broker().fetch(site, max_bytes=100_000)
    assert page.text == "0" * 100_000
    assert page.truncated


async def test_the_members_of_a_gzip_file_are_joined_and_padding_is_left_out() -> None:
    data = gzip.compress(b"one ") + gzip.compress(b"two") + b"\0" * 64
    async with _serving(_answers(_http(data, "Content-Encoding: gzip"))) as site:
        page = await _broker().fetch(site)
    assert (page.text, page.truncated) == ("one two", False)


async def test_compressed_data_that_ends_early_are_told() -> None:
    data = gzip.compress(b"one ") + gzip.compress(b"two")[:-6]
    async with _serving(_answers(_http(data, "Content-Encoding: gzip"))) as site:
        page = await _broker().fetch(site)
    assert (page.text, page.truncated) == ("one two", True)


async def test_a_charset_that_no_page_needs_takes_no_time() -> None:
    kind = "Content-Type: text/plain; charset=punycode"
    async with _serving(_answers(_http(b"a" * 2**21, kind))) as site:
        page = await _broker(limits=(10.0, 10.0)).fetch(site)
    assert page.text == "a" * 2**21


async def test_deflate_without_its_frame_is_read_too() -> None:
    squeezer = zlib.compressobj(wbits=-15)
    data = squeezer.compress(b"raw") + squeezer.flush()
    async with _serving(_answers(_http(data, "Content-Encoding: deflate"))) as site:
        assert (await _broker().fetch(site)).text == "raw"


async def test_redirects_within_a_site_are_followed_five_times() -> None:
    moved = _http(b"", "Location: /next", status="302 Found")
    async with _serving(_answers(moved, moved, moved, moved, moved, _http(b"there"))) as site:
        page = await _broker().fetch(site)
        assert (page.text, page.url) == ("there", f"{site}/next")
    async with _serving(_answers(moved)) as site:
        with pytest.raises(FetchError, match="more than 5"):
            await _broker().fetch(site)


async def test_a_redirect_to_another_site_is_told_and_not_followed() -> None:
    rules = HostRules(["127.0.0.1", "other.example"])
    moved = _http(b"", "Location: https://other.example/x", status="301 Moved")
    async with _serving(_answers(moved)) as site:
        page = await _broker(rules).fetch(site)
    assert page.moved_to == "https://other.example/x"


@pytest.mark.parametrize(
    "place", ["file:///etc/passwd", "http://169.254.169.254/", "http://a:b@127.0.0.1/", "http://["]
)
async def test_a_redirect_is_judged_anew(place: str) -> None:
    moved = _http(b"", f"Location: {place}", status="302 Found")
    async with _serving(_answers(moved)) as site:
        with pytest.raises(FetchError):
            await _broker().fetch(site)


async def test_a_name_is_looked_up_once_and_all_its_addresses_are_checked() -> None:
    looked_up: list[str] = []

    async def rebinding(host: str, port: int) -> list[str]:
        looked_up.append(host)
        return ["93.184.216.34", "127.0.0.1"]

    with pytest.raises(FetchError, match=r"127\.0\.0\.1 is not an address of the public"):
        await _broker(HostRules(), resolve=rebinding).fetch("http://example.com/")
    assert looked_up == ["example.com"]


async def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])

    async def changing(host: str, port: int) -> list[str]:
        return next(answers)

    asked: list[bytes] = []
    async with _serving(_answers(_http(b"here"), asked=asked)) as site:
        port = site.rpartition(":")[2]
        broker = _broker(HostRules(["box.example"]), resolve=changing)
        assert (await broker.fetch(f"http://box.example:{port}/")).text == "here"
    assert f"Host: box.example:{port}\r\n".encode() in asked[0]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://2130706433/", "http://[::1]/"])
async def test_this_machine_is_not_reached_unless_it_is_named(url: str) -> None:
    with pytest.raises(FetchError) as caught:
        await _broker(HostRules()).fetch(url)
    assert caught.value.code is Code.PERMISSION_DENIED


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with _serving(_answers(_http(b"direct"))) as site:
        assert (await _broker().fetch(site)).text == "direct"


async def test_a_server_that_says_nothing_is_given_up() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with _serving(silent) as site:
        with pytest.raises(FetchError) as caught:
            await _broker(limits=(5.0, 0.2)).fetch(site)
    assert caught.value.code is Code.TIMEOUT


async def test_cancelling_closes_the_connection() -> None:
    asked, closed = asyncio.Event(), asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        try:
            await reader.read()
        finally:
            closed.set()

    async with _serving(silent) as site:
        task = asyncio.create_task(_broker().fetch(site))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(closed.wait(), 3)


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 200_000,
        b"HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhello",
        _http(b"x", "Content-Encoding: br"),
        _http(b"not gzip at all", "Content-Encoding: gzip"),
    ],
)
async def test_an_answer_that_makes_no_sense_is_an_error(answer: bytes) -> None:
    async with _serving(_answers(answer)) as site:
        with pytest.raises(FetchError):
            await _broker().fetch(site)


async def test_an_answer_that_ends_early_is_an_error_and_one_without_length_is_not() -> None:
    def ending(data: bytes) -> _Serve:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(data)
            await writer.drain()
            writer.write_eof()
            await reader.read()

        return serve

    async with _serving(ending(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")) as site:
        with pytest.raises(FetchError, match="before its answer was whole"):
            await _broker().fetch(site)
    async with _serving(ending(b"HTTP/1.1 200 OK\r\n\r\nabc")) as site:
        assert (await _broker().fetch(site)).text == "abc"


async def test_a_page_nested_too_deep_is_still_text() -> None:
    html = b"<div>" * 5000 + b"deep"
    async with _serving(_answers(_http(html, "Content-Type: text/html"))) as site:
        assert (await _broker().fetch(site)).text == "deep"
