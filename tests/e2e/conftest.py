"""Real processes: the installed command, a copy of an example project, a scripted provider."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hackamore.testing.fake_provider import FakeProvider
from servers.commanding import Commands

_ROOT = Path(__file__).parents[2]
_COMMAND = (sys.executable, "-m", "hackamore")
_PATIENCE = 60


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        """The lines of ``--json``."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def response(self) -> dict[str, Any]:
        """The last event."""
        return self.events[-1]

    def kinds(self) -> list[str]:
        """The types of all events."""
        return [event["type"] for event in self.events]

    def finished(self) -> list[dict[str, Any]]:
        """The ends of all tool calls."""
        return [event for event in self.events if event["type"] == "tool_call_finished"]


@dataclass(frozen=True)
class Hackamore:
    """The command, in a project, with an environment of its own."""

    project: Path
    environment: dict[str, str]

    def __call__(self, *arguments: str, **variables: str) -> Outcome:
        """Run it to its end."""
        done = subprocess.run(
            [*_COMMAND, *arguments],
            cwd=self.project,
            env=self.environment | variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def run(self, provider: FakeProvider, *arguments: str, **variables: str) -> Outcome:
        """Run a task against a scripted provider, with events as JSON."""
        flags = ("--model", "openai:fake", "--base-url", provider.base_url, "--json")
        return self("run", *flags, *arguments, "do it", **variables)

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start it and return the process."""
        return subprocess.Popen(
            [*_COMMAND, *arguments],
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a copy of an example project with one bug."""
    return shutil.copytree(_ROOT / "examples" / "basket", tmp_path / "my project")


@pytest.fixture
def hackamore(project: Path, tmp_path: Path) -> Hackamore:
    """Return the command in that project, with no keys and an empty home."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    home = {"HOME": str(tmp_path / "home"), "HACKAMORE_HOME": str(tmp_path / "hackamore")}
    (tmp_path / "home").mkdir()
    return Hackamore(project, kept | home)


@pytest.fixture
def mcp(hackamore: Hackamore, tmp_path: Path) -> Commands:
    """Return ``hackamore mcp …`` with a file of servers."""
    return Commands(hackamore, tmp_path / "servers.json")
