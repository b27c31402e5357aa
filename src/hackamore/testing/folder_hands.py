"""Hands on a plain folder: the tools that recipes call, with no sandbox and no approvals.

For tests and benches, on folders made for them only: commands run as the person who starts them.
"""

import asyncio
import hashlib
import os
import re
import signal
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final, cast

from hackamore.core.codes import Code
from hackamore.core.events import Event
from hackamore.core.json import JSONObject
from hackamore.core.tools import ToolOutput, failure

_HIDDEN: Final = frozenset({".git", "__pycache__", ".pytest_cache", "node_modules"})


class FolderHands:
    """Works on one folder, and remembers what was called and told.

    Attributes:
        root: The folder.
        calls: (tool, arguments) in order.
        events: What was emitted, in order.
    """

    def __init__(self, root: Path, *, deny: Collection[str] = ()) -> None:
        """Take hold of `root`; the tools named in `deny` are refused as by a person."""
        self.root = root
        self._deny = deny
        self._tools: dict[str, Callable[[Any], ToolOutput]] = {
            "list_files": self._list,
            "read_file": self._read,
            "write_to_file": self._write,
            "restore_file": self._restore,
            "search_files": self._search,
        }
        self.calls: list[tuple[str, JSONObject]] = []
        self.events: list[Event] = []
        self._originals: dict[str, bytes | None] = {}

    async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
        """Run a tool; a failure is an output."""
        self.calls.append((tool, arguments))
        await asyncio.sleep(0)
        if tool in self._deny:
            return failure("The person said no.", Code.APPROVAL_REJECTED)
        if tool == "execute_command":
            return await self._execute(cast(Any, arguments))
        try:
            return self._tools[tool](arguments)
        except (OSError, UnicodeDecodeError) as error:
            return failure(str(error), Code.NOT_FOUND)

    def emit(self, event: Event) -> None:
        """Remember the event."""
        self.events.append(event)

    def count(self, tool: str) -> int:
        """Return how often a tool was called."""
        return sum(name == tool for name, _arguments in self.calls)

    def _paths(self) -> list[str]:
        found = (path for path in self.root.rglob("*") if path.is_file())
        inside = (path.relative_to(self.root) for path in found)
        return sorted(str(path) for path in inside if not _HIDDEN & set(path.parts))

    def _list(self, _arguments: object) -> ToolOutput:
        paths = self._paths()
        return ToolOutput("\n".join(paths), structured={"files": paths, "truncated": False})

    def _read(self, arguments: Any) -> ToolOutput:  # noqa: ANN401 - arguments are JSON
        text = (self.root / arguments["path"]).read_text("utf-8")
        name = hashlib.sha256(text.encode()).hexdigest()
        data = {"content": text, "encoding": "utf-8", "snapshot_hash": name, "truncated": False}
        return ToolOutput(text, structured=data)

    def _write(self, arguments: Any) -> ToolOutput:  # noqa: ANN401 - arguments are JSON
        path = self.root / arguments["path"]
        before = path.read_bytes() if path.exists() else None
        self._originals.setdefault(arguments["path"], before)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(arguments["content"], "utf-8")
        return ToolOutput("written")

    def _restore(self, arguments: Any) -> ToolOutput:  # noqa: ANN401 - arguments are JSON
        path, original = self.root / arguments["path"], self._originals[arguments["path"]]
        if original is None:
            path.unlink()
        else:
            path.write_bytes(original)
        return ToolOutput("restored")

    def _search(self, arguments: Any) -> ToolOutput:  # noqa: ANN401 - arguments are JSON
        pattern = re.compile(arguments["regex"])
        matches = [
            {"path": path, "line": number, "text": line}
            for path in self._paths()
            for number, line in enumerate((self.root / path).read_text("utf-8").splitlines(), 1)
            if pattern.search(line)
        ]
        return ToolOutput(f"{len(matches)} matches", structured={"matches": matches})

    async def _execute(self, arguments: Any) -> ToolOutput:  # noqa: ANN401 - arguments are JSON
        process = await asyncio.create_subprocess_shell(
            arguments["command"],
            cwd=self.root,
            env={
                "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.defpath]),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        timed_out, output = False, b""
        try:
            async with asyncio.timeout(arguments["timeout"]):
                output, _none = await process.communicate()
        except TimeoutError:
            timed_out = True
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        code = None if timed_out else process.returncode
        text = output.decode("utf-8", "replace")
        data = {"exit_code": code, "output": text, "timed_out": timed_out}
        return ToolOutput(text, is_error=code != 0, structured=data)
