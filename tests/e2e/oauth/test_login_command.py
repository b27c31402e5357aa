"""``hackamore mcp login`` and ``logout``, with a browser that is a real process."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

import pytest

from hackamore.testing.fake_provider import Answer, FakeProvider

_BROWSER = """
import sys, httpx2
httpx2.get(sys.argv[1], follow_redirects=True).raise_for_status()
"""


class _Authority(Protocol):
    done: list[str]


class _Protected(Protocol):
    url: str
    authority: _Authority
    called: list[str]


class _Outcome(Protocol):
    status: int
    out: str
    err: str


class _Hackamore(Protocol):
    project: Path
    environment: dict[str, str]

    def __call__(self, *arguments: str, **variables: str) -> _Outcome: ...


@pytest.fixture
def browser(tmp_path: Path) -> str:
    """Return what BROWSER has to be."""
    script = tmp_path / "browser.py"
    script.write_text(_BROWSER)
    return f"{sys.executable} {script} %s"


def _configure(hackamore: _Hackamore, url: str, **more: Any) -> None:
    servers = {"docs": {"url": url, **more}, "local": {"command": "x"}}
    (hackamore.project / "servers.json").write_text(json.dumps(servers))


def _mcp(hackamore: _Hackamore, *arguments: str, **variables: str) -> _Outcome:
    return hackamore("mcp", *arguments, "--mcp", "servers.json", **variables)


@pytest.mark.req("MCP-13", "MCP-12")
def test_one_login_serves_all_later_commands_until_the_logout(
    protected: _Protected, hackamore: _Hackamore, browser: str
) -> None:
    _configure(hackamore, protected.url)
    first = _mcp(hackamore, "call", "docs", "secret")
    assert first.status == 1
    assert "hackamore mcp login docs" in first.err
    assert "authorize" not in protected.authority.done

    login = _mcp(hackamore, "login", "docs", BROWSER=browser)
    assert (login.status, login.out) == (0, "Logged in to docs.\n")
    assert "Log in to docs in your browser:\nhttp://127.0.0.1:" in login.err
    assert _mcp(hackamore, "call", "docs", "secret").out == "42\n"
    assert "✓ docs: you are logged in, until " in _mcp(hackamore, "doctor").out
    again = _mcp(hackamore, "login", "docs", "--json", BROWSER="false")
    assert json.loads(again.out) == {"server": "docs", "login": "already_logged_in"}

    assert _mcp(hackamore, "logout", "docs").out == "Logged out of docs.\n"
    assert _mcp(hackamore, "logout", "docs").out == "There was no login to docs.\n"
    (listed, _) = json.loads(_mcp(hackamore, "list", "--json").out)["servers"]
    assert listed["state"] == "auth_required"
    assert protected.called == ["secret"]


@pytest.mark.req("MCP-12")
def test_a_run_without_a_person_opens_no_browser_and_goes_on(
    protected: _Protected, hackamore: _Hackamore, browser: str
) -> None:
    _configure(hackamore, protected.url)
    with FakeProvider([Answer(text="Done.")]) as provider:
        flags = ("--model", "openai:fake", "--base-url", provider.base_url, "--json")
        mcp = ("--mcp", "servers.json")
        outcome = hackamore("run", *flags, *mcp, "say so", BROWSER=browser)
    assert outcome.status == 0
    assert '"state": "auth_required"' in outcome.out
    assert "authorize" not in protected.authority.done


@pytest.mark.req("MCP-12")
def test_a_run_with_a_person_opens_the_browser(
    protected: _Protected, hackamore: _Hackamore, browser: str
) -> None:
    _configure(hackamore, protected.url, startupWait=30)
    ours, theirs = pty.openpty()
    with FakeProvider([Answer(text="Done.")]) as provider:
        flags = ("--model", "openai:fake", "--base-url", provider.base_url, "--mcp", "servers.json")
        done = subprocess.run(
            [sys.executable, "-m", "hackamore", "run", *flags, "say so"],
            cwd=hackamore.project,
            env=hackamore.environment | {"BROWSER": browser},
            stdin=theirs,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        (request,) = provider.requests
    os.close(ours)
    os.close(theirs)
    assert "Done." in done.stdout
    assert protected.authority.done == ["register", "authorize", "exchange"]
    assert "docs__secret" in json.dumps(request)


@pytest.mark.req("MCP-13", "MCP-12", "UX-06")
def test_where_there_is_nothing_to_log_in_to_it_is_said(
    protected: _Protected, hackamore: _Hackamore
) -> None:
    _configure(hackamore, protected.url, headers={"Authorization": "Bearer x"})
    for server, words in (
        ("local", "a command gets what it needs by its `env`"),
        ("docs", "hold an Authorization of their own"),
    ):
        outcome = _mcp(hackamore, "login", server)
        assert outcome.status == 2
        assert words in outcome.err
