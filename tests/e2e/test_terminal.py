"""A person at a terminal: asked, shown everything, and in control."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest

from hackamore.testing.fake_provider import Answer, FakeProvider

_PATIENCE = 30.0


class _Hackamore(Protocol):
    project: Path
    environment: dict[str, str]


class _Terminal:
    """The other end of a terminal in which a command runs."""

    def __init__(self, process: "subprocess.Popen[bytes]", descriptor: int) -> None:
        self.process = process
        self._descriptor = descriptor
        self.seen = ""

    def until(self, words: str) -> None:
        """Read until `words` have been seen after what was waited for before."""
        start, deadline = len(self.seen), time.monotonic() + _PATIENCE
        while words not in self.seen[start:]:
            assert time.monotonic() < deadline, f"{words!r} never came:\n{self.seen}"
            if select.select([self._descriptor], [], [], 0.2)[0]:
                self.seen += os.read(self._descriptor, 65536).decode("utf-8", "replace")

    def type(self, text: str) -> None:
        """Type."""
        os.write(self._descriptor, text.encode())


@contextmanager
def _run(hackamore: _Hackamore, provider: FakeProvider) -> Generator[_Terminal, None, None]:
    ours, theirs = pty.openpty()
    flags = ("--model", "openai:fake", "--base-url", provider.base_url)
    command = [sys.executable, "-m", "hackamore", "run", *flags, "do it"]
    environment = hackamore.environment | {"TERM": "dumb", "COLUMNS": "200"}
    with subprocess.Popen(
        command, cwd=hackamore.project, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        try:
            yield _Terminal(process, ours)
        finally:
            process.kill()
            os.close(ours)


def _command(line: str) -> Answer:
    return Answer(calls=[{"name": "execute_command", "arguments": {"command": line}}])


@pytest.mark.req("AGT-12", "UX-02")
def test_the_whole_command_is_shown_before_the_question_and_only_its_answer_counts(
    hackamore: _Hackamore,
) -> None:
    long = f"echo {'wait ' * 30}; touch TAIL\ntouch SECOND_LINE"
    script = [_command(long), _command("touch NEVER"), Answer(text="Done.")]
    with FakeProvider(script) as provider, _run(hackamore, provider) as terminal:
        terminal.until("or say why not: ")
        assert terminal.seen.index("▸ execute_command") < terminal.seen.index("Allow?")
        assert "touch TAIL" in terminal.seen
        assert "$ touch SECOND_LINE" in terminal.seen
        terminal.type("y\ny\n")
        terminal.until("or say why not: ")
        assert not (hackamore.project / "NEVER").exists()
        terminal.type("use another name\n")
        terminal.until("Done.")
        assert terminal.process.wait(timeout=10) == 0
    assert (hackamore.project / "SECOND_LINE").exists()
    assert not (hackamore.project / "NEVER").exists()
    assert "use another name" in provider.requests[2]["messages"][-1]["content"]


@pytest.mark.req("AGT-12", "UX-02")
def test_always_covers_the_same_command_and_ctrl_c_at_a_question_ends_it(
    hackamore: _Hackamore,
) -> None:
    script = [_command("echo one"), _command("echo two; true"), _command("echo one")]
    with FakeProvider(script) as provider, _run(hackamore, provider) as terminal:
        terminal.until("or say why not: ")
        terminal.type("a\n")
        terminal.until("or say why not: ")
        assert "$ echo two; true" in terminal.seen
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.process.wait(timeout=10) == 130
