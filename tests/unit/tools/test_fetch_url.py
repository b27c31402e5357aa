"""fetch_url shows a page, in bounds, and says what it touches."""

import pytest

from hackamore.core.bounded import MAX_CHARACTERS
from hackamore.core.effects import Effect
from hackamore.core.host import Nobody
from hackamore.core.json import JSON
from hackamore.core.tools import ToolContext, ToolOutput, Touch
from hackamore.core.web import Page
from hackamore.testing.fake_web import FakeWeb
from hackamore.tools.fetch_url import FetchUrl

pytestmark = pytest.mark.anyio
_URL = "https://example.com/"


async def _fetched(page: Page, **more: JSON) -> ToolOutput:
    tool = FetchUrl(FakeWeb({_URL: page}))
    return await tool.run({"url": _URL, **more}, ToolContext("call_1", lambda _: None, Nobody()))


@pytest.mark.req("TOOL-01", "SBX-01")
def test_it_is_of_the_network_and_touches_its_address() -> None:
    tool = FetchUrl(FakeWeb())
    assert tool.spec.effect is Effect.NETWORK
    assert tool.touches({"url": f" {_URL}", "prompt": "Sum it up."}) == Touch(url=_URL)


@pytest.mark.req("TOOL-01")
async def test_a_page_is_shown_with_where_it_was_found() -> None:
    output = await _fetched(Page(f"{_URL}x", 200, "text/html", "# Hello", 7), prompt="Sum up.")
    assert output.text == "https://example.com/x: status 200, text/html, 7 bytes.\n\n# Hello"
    assert not output.is_error


@pytest.mark.req("TOOL-03")
async def test_a_long_page_is_shown_with_head_and_tail_and_without_escape_codes() -> None:
    text = "\x1b[31mhead" + "x" * 200_000 + "tail"
    output = await _fetched(Page(_URL, 200, "text/plain", text, len(text), truncated=True))
    assert len(output.text) < MAX_CHARACTERS + 500
    assert "\nhead" in output.text
    assert "left out" in output.text
    assert output.text.endswith("tail\n(The page is longer; the rest was not read.)")


@pytest.mark.req("TOOL-03")
async def test_what_is_no_text_is_described() -> None:
    output = await _fetched(Page(_URL, 200, "image/png", None, 1234))
    assert "image/png, 1,234 bytes" in output.text
    assert "not text" in output.text


@pytest.mark.req("TOOL-01")
async def test_a_missing_page_is_an_error_that_can_be_read() -> None:
    output = await _fetched(Page(_URL, 404, "text/plain", "No such page", 12))
    assert output.is_error
    assert "No such page" in output.text


@pytest.mark.req("SBX-01")
async def test_another_site_is_named_and_has_to_be_asked_for() -> None:
    output = await _fetched(Page(_URL, 302, "", None, 0, moved_to="https://other.example/"))
    assert "https://other.example/" in output.text
