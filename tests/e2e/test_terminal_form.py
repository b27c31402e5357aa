"""A server's form at a real terminal."""

import os
import pty
import select
import subprocess
import sys
import time

import pytest

_PATIENCE = 30.0
_PROGRAM = """
import asyncio
from rich.console import Console
from hackamore.cli.terminal.host import TerminalHost
from hackamore.cli.terminal.view import TerminalView
from hackamore.core.elicitation import FormRequest

async def main():
    console = Console(highlight=False, emoji=False)
    host = TerminalHost(console, TerminalView(console))
    fields = {"name": {"type": "string", "title": "[bold]Name[/]\\x1b[2J", "default": "\\x1b[8m"}}
    schema = {"type": "object", "properties": fields}
    print("ANSWER", await host.elicit(FormRequest("a\\x1b]0;b\\x07", "say \\x1b[31m", schema)))

asyncio.run(main())
"""


def _until(descriptor: int, words: str) -> str:
    seen, deadline = "", time.monotonic() + _PATIENCE
    while words not in seen:
        assert time.monotonic() < deadline, f"{words!r} never came:\n{seen}"
        if select.select([descriptor], [], [], 0.2)[0]:
            seen += os.read(descriptor, 65536).decode("utf-8", "replace")
    return seen


@pytest.mark.req("MCP-09", "MCP-15")
def test_a_form_at_the_terminal_is_safe_to_read_and_its_answer_is_what_was_typed() -> None:
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "dumb", "COLUMNS": "200"}
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        seen = _until(ours, ") > ")
        os.write(ours, b"Ada\n")
        seen += _until(ours, "[n]o: ")
        os.write(ours, b"y\n")
        seen += _until(ours, "ANSWER ElicitationAnswer(action='accept', values={'name': 'Ada'})")
        process.wait(timeout=10)
        os.close(ours)
    assert "\x1b" not in seen
    assert "[bold]Name[/]␛[2J" in seen
    assert "│ say ␛[31m" in seen
