"""``hackamore mcp …`` with a person at a real terminal: consent, and what servers ask."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest

from servers.starting import modern_command

_PATIENCE = 30.0


class _Hackamore(Protocol):
    project: Path
    environment: dict[str, str]


class _Terminal:
    """The person's side of a terminal."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.seen = ""

    def until(self, words: str) -> None:
        """Read until `words` come; fail when that takes too long."""
        deadline = time.monotonic() + _PATIENCE
        while words not in self.seen:
            assert time.monotonic() < deadline, f"{words!r} never came:\n{self.seen}"
            if select.select([self._descriptor], [], [], 0.2)[0]:
                self.seen += os.read(self._descriptor, 65536).decode("utf-8", "replace")

    def type(self, words: str) -> None:
        """Type something."""
        os.write(self._descriptor, words.encode())


@contextmanager
def _terminal(hackamore: _Hackamore, *arguments: str) -> Generator[_Terminal]:
    ours, theirs = pty.openpty()
    environment = hackamore.environment | {"TERM": "dumb", "COLUMNS": "200"}
    with subprocess.Popen(
        [sys.executable, "-m", "hackamore", "mcp", *arguments],
        cwd=hackamore.project,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        yield _Terminal(ours)
        assert process.wait(timeout=_PATIENCE) == 0
    os.close(ours)


def _configure(path: Path) -> None:
    command = modern_command()
    entry = {"command": command[0], "args": command[1:]}
    path.write_text(json.dumps({"mcpServers": {"it": entry}}))


@pytest.mark.req("MCP-13", "MCP-01")
def test_a_server_of_the_project_is_asked_about_once_and_then_used(hackamore: _Hackamore) -> None:
    _configure(hackamore.project / ".mcp.json")
    call = ("call", "it", "weather", '{"city": "Oslo"}')
    with _terminal(hackamore, *call) as terminal:
        terminal.until("say why not: ")
        assert "wants to start this MCP server" in terminal.seen
        terminal.type("y\n")
        terminal.until('"degrees": 21.5')
    with _terminal(hackamore, *call) as terminal:
        terminal.until('"degrees": 21.5')
    assert "Allow?" not in terminal.seen


@pytest.mark.req("MCP-13", "MCP-09")
def test_what_a_server_asks_is_answered_at_the_terminal(
    hackamore: _Hackamore, tmp_path: Path
) -> None:
    _configure(tmp_path / "servers.json")
    flags = ("--mcp", str(tmp_path / "servers.json"))
    with _terminal(hackamore, "call", *flags, "it", "greet", '{"greeting": "Hello"}') as terminal:
        terminal.until(") > ")
        assert "The MCP server it asks:" in terminal.seen
        terminal.type("Ada\n")
        terminal.until("[n]o: ")
        terminal.type("y\n")
        terminal.until("Hello, Ada!")
