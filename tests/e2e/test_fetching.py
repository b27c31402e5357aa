"""`hackamore run` fetches a page for the model: only after a yes, only where it may."""

import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from hackamore.testing.fake_provider import Answer, FakeProvider

_DONE = Answer(text="Done.")


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<h1>Hello</h1><script>x</script>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Generator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def _fetch(url: str) -> Answer:
    return Answer(calls=[{"name": "fetch_url", "arguments": {"url": url}}])


def _configure(hackamore: Any, text: str) -> None:
    folder = Path(hackamore.environment["HACKAMORE_HOME"]) / "config"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(text, encoding="utf-8")


@pytest.mark.req("TOOL-01", "SBX-01")
def test_a_page_of_a_named_host_comes_as_markdown(hackamore: Any, site: str) -> None:
    _configure(hackamore, '[sandbox]\nnetwork_hosts = ["127.0.0.1"]\n')
    with FakeProvider([_fetch(site), _DONE]) as provider:
        outcome = hackamore.run(provider, "--approve", "all")
    (fetched,) = outcome.finished()
    assert fetched["output"].endswith("# Hello"), outcome.err
    assert provider.requests[1]["messages"][-1]["content"].endswith("# Hello")


@pytest.mark.req("SBX-01")
def test_this_machine_is_refused_when_nobody_named_it(hackamore: Any, site: str) -> None:
    with FakeProvider([_fetch(site), _DONE]) as provider:
        outcome = hackamore.run(provider, "--approve", "all")
    (fetched,) = outcome.finished()
    assert "not an address of the public internet" in fetched["output"]


@pytest.mark.req("AGT-12", "SBX-01")
def test_nothing_is_fetched_without_a_yes(hackamore: Any, site: str) -> None:
    _configure(hackamore, '[sandbox]\nnetwork_hosts = ["127.0.0.1"]\n')
    with FakeProvider([_fetch(site), _DONE]) as provider:
        outcome = hackamore.run(provider, "--approve", "edits")
    (fetched,) = outcome.finished()
    assert fetched["status"] == "denied"
