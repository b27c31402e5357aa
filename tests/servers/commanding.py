"""How tests run ``hackamore mcp …`` with a file of servers, and see that nothing is left."""

import json
import subprocess
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from servers.using import MARK, marked_processes


class Outcome(Protocol):
    """How a command ended."""

    @property
    def status(self) -> int: ...
    @property
    def out(self) -> str: ...
    @property
    def err(self) -> str: ...


class Hackamore(Protocol):
    """The command, in a project."""

    @property
    def project(self) -> Path: ...
    @property
    def environment(self) -> dict[str, str]: ...
    def __call__(self, *arguments: str, **variables: str) -> Outcome: ...
    def start(self, *arguments: str) -> "subprocess.Popen[str]": ...


def stdio(command: list[str], **more: Any) -> dict[str, Any]:
    """Return the entry of a stdio server."""
    return {"command": command[0], "args": command[1:], **more}


class Commands:
    """``hackamore mcp …`` with a file of servers, whose processes are marked."""

    def __init__(self, hackamore: Hackamore, path: Path) -> None:
        self.hackamore = hackamore
        self.mark = uuid.uuid4().hex
        self._path = path

    def have(self, **entries: Mapping[str, Any]) -> None:
        """Configure servers."""
        marked = {
            name: {**entry, "env": {MARK: self.mark}} if "command" in entry else entry
            for name, entry in entries.items()
        }
        self._path.write_text(json.dumps({"mcpServers": marked}))

    def line(self, action: str, *arguments: str) -> list[str]:
        """Return a command line."""
        return ["mcp", action, "--mcp", str(self._path), *arguments]

    def __call__(self, action: str, *arguments: str, **variables: str) -> Outcome:
        """Run it; afterwards no process of a server is left."""
        outcome = self.hackamore(*self.line(action, *arguments), **variables)
        assert marked_processes(self.mark) == []
        return outcome

    def json(self, action: str, *arguments: str) -> Any:
        """Run it and return the one JSON object that it prints."""
        return json.loads(self(action, "--json", *arguments).out)
