"""A page cannot hold the process that reads it, and what cannot be converted is still shown."""

import asyncio
import os
import sys

import pytest

from hackamore.web.converter import Converter

pytestmark = [pytest.mark.anyio, pytest.mark.req("TOOL-01", "TOOL-03")]
_BASE = "https://example.com/a/"
_HANGS = (
    "import os, socket, sys, time; "
    "link = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); "
    "link.sendall(b'%d\\n' % os.getpid()); time.sleep(600)"
)


async def test_a_page_becomes_markdown() -> None:
    text = await Converter(seconds=25)("<p>Sée <a href='b'>this</a>", _BASE)
    assert text == "Sée [this](https://example.com/a/b)"


async def test_a_page_made_to_be_slow_is_given_up_and_its_source_shown() -> None:
    text = await Converter(seconds=1)("<!--" * 250_000, _BASE)
    assert text.startswith("(The page could not be made readable;")
    assert text.endswith("<!--")
    assert len(text) < 201_000


async def test_a_number_that_is_none_is_no_obstacle() -> None:
    html = "<table><tr><th colspan='²'>Head</th></tr><tr><td>cell</td></tr></table>"
    assert await Converter(seconds=25)(html, _BASE) == "Head\ncell"


async def test_a_conversion_that_fails_shows_the_source() -> None:
    failing = Converter(argv=[sys.executable, "-I", "-c", "raise SystemExit(1)"])
    assert (await failing("<p>x", _BASE)).endswith("source.)\n\n<p>x")


async def test_cancelling_ends_the_process() -> None:
    pids: asyncio.Queue[int] = asyncio.Queue()

    async def told(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pids.put_nowait(int(await reader.readline()))
        writer.close()

    async with await asyncio.start_server(told, "127.0.0.1", 0) as server:
        port = str(server.sockets[0].getsockname()[1])
        converter = Converter(argv=[sys.executable, "-I", "-c", _HANGS, port], seconds=60)
        task = asyncio.create_task(converter("<p>x" * 500_000, _BASE))
        pid = await asyncio.wait_for(pids.get(), 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
