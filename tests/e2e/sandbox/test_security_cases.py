"""Attacks from public reports, run against the real tools over the real sandbox.

Not run here, by id:

- fs-004, fs-006, fs-028, fs-116, fs-118: about resource descriptors, which the policy judges
  before a tool runs.
- fs-082, fs-083, fs-085: writable after a question, which the policy asks.
- fs-122: a kill at a random moment, in `test_a_kill_during_a_write_leaves_the_old_or_the_new_file`.
- proc-042, proc-059: with smaller limits in test_commands.
- proc-048, proc-049, proc-052, proc-060: in test_commands, at both levels.
- proc-053: the sandbox lives as long as the event loop's thread that started it, by design.
- proc-055, proc-062: a faulty bubblewrap and a hostile worker, in the unit tests.
- proc-057: in test_files, with more names.
"""

import asyncio
import ctypes
import json
import os
import resource
import signal
import socket
import stat
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hackamore.core.codes import Code
from hackamore.core.errors import EditError, WorkspaceError
from hackamore.core.host import Nobody
from hackamore.core.tools import ToolContext, ToolOutput
from hackamore.edits.patch import Patches
from hackamore.sandbox.worker.processes import descendants
from hackamore.testing.fake_web import FakeWeb
from hackamore.tools.builtin import builtin_tools

pytestmark = pytest.mark.anyio

CASES = Path(__file__).parents[2] / "cases"
CANARY = "CANARY-7f3a-DO-NOT-LEAK"
ELSEWHERE = {
    *("fs-004", "fs-006", "fs-028", "fs-116", "fs-118", "fs-082", "fs-083", "fs-085", "fs-122"),
    *("proc-042", "proc-059", "proc-048", "proc-049", "proc-052", "proc-060"),
    *("proc-053", "proc-055", "proc-062", "proc-057"),
}
TOOLS = {"write_file": "write_to_file", "search": "search_files", "run_command": "execute_command"}
ARGUMENTS = {"pattern": "regex"}
CODES = {
    "PROTECTED_PATH": {"PERMISSION_DENIED"},
    "PERMISSION_DENIED": {"PERMISSION_DENIED", "PATH_OUTSIDE"},
    "NOT_REGULAR_FILE": {"NOT_A_FILE"},
    "INVALID_ARGUMENT": {"INVALID_REQUEST"},
    "APPROVAL_REQUIRED": set[str](),
}
_LIBC = ctypes.CDLL(None)
_EXCHANGE = 2


def cases(name: str) -> list[Any]:
    listed = json.loads((CASES / name).read_text(encoding="utf-8"))
    return [pytest.param(c, id=c["id"]) for c in listed if c["id"] not in ELSEWHERE]


class Field:
    """The place where one case happens."""

    def __init__(self, base: Path) -> None:
        self.base = base.resolve()
        self.root, self.out = self.base / "root", self.base / "out"
        self.root.mkdir()
        self.out.mkdir()

    def at(self, text: str) -> str:
        places = {"$ROOT": self.root, "$OUT": self.out, "$BASE": self.base}
        for mark, place in places.items():
            text = text.replace(mark, str(place))
        return text

    def exists(self, text: str) -> bool:
        return Path(self.at(text)).exists()

    def outside(self) -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in self.out.rglob("*") if p.is_file()}

    @contextmanager
    def prepared(self, setup: list[dict[str, Any]]) -> Generator[None]:
        stop = threading.Event()
        swappers: list[threading.Thread] = []
        for step in setup:
            path = Path(self.at(step["path"]))
            path.parent.mkdir(parents=True, exist_ok=True)
            if step["op"] == "swapper":
                swappers.append(self._swapper(path, Path(self.at(step["target"])), stop))
            else:
                getattr(self, f"_make_{step['op']}")(path, step)
        try:
            yield
        finally:
            stop.set()
            for swapper in swappers:
                swapper.join()

    def _make_file(self, path: Path, step: dict[str, Any]) -> None:
        if "hex" in step:
            path.write_bytes(bytes.fromhex(step["hex"]))
        else:
            path.write_text(self.at(step["content"]), encoding="utf-8")

    def _make_dir(self, path: Path, _: dict[str, Any]) -> None:
        path.mkdir(parents=True, exist_ok=True)

    def _make_symlink(self, path: Path, step: dict[str, Any]) -> None:
        path.symlink_to(self.at(step["target"]))

    def _make_hardlink(self, path: Path, step: dict[str, Any]) -> None:
        path.hardlink_to(self.at(step["target"]))

    def _make_fifo(self, path: Path, _: dict[str, Any]) -> None:
        os.mkfifo(path)

    def _make_sparse(self, path: Path, step: dict[str, Any]) -> None:
        with path.open("wb") as file:
            file.truncate(step["size"])

    def _make_socket(self, path: Path, _: dict[str, Any]) -> None:
        os.mknod(path, 0o600 | stat.S_IFSOCK)

    def _swapper(self, path: Path, target: Path, stop: threading.Event) -> threading.Thread:
        link = self.base / "swapped"
        link.symlink_to(target)

        def swap() -> None:
            while not stop.is_set():
                _LIBC.renameat2(-1, bytes(path), -1, bytes(link), _EXCHANGE)

        thread = threading.Thread(target=swap)
        thread.start()
        return thread


def no_edits(text: str, diff: str) -> str:
    raise EditError(f"not here: {len(text)} {len(diff)}")


async def call(box: Any, tool: str, arguments: dict[str, Any]) -> ToolOutput:
    ports = (box.sandbox.workspace, box.sandbox.commands, FakeWeb())
    tools = builtin_tools(*ports, no_edits, Patches())
    wanted = next(t for t in tools if t.spec.name == TOOLS.get(tool, tool))
    context = ToolContext("call_1", lambda _: None, Nobody())
    return await wanted.run({ARGUMENTS.get(k, k): v for k, v in arguments.items()}, context)


async def ask(box: Any, field: Field, request: dict[str, Any]) -> ToolOutput:
    arguments = {
        name: field.at(value) if isinstance(value, str) else value
        for name, value in request["args"].items()
    }
    if request["tool"] == "rename":
        line = f"mv {arguments['src']} {arguments['dst']}"
        result = await call(box, "execute_command", {"command": line})
        failed = bool(result.structured["exit_code"])  # pyright: ignore - our own JSON
        return ToolOutput(result.text, failed, Code.PERMISSION_DENIED if failed else None)
    return await call(box, request["tool"], arguments)


def check(output: ToolOutput, expected: dict[str, Any]) -> None:
    if expected["outcome"] == "ok":
        assert not output.is_error, output.text
        if "content" in expected:
            assert output.text == expected["content"]
    elif expected["outcome"] == "error":
        allowed = set[str]().union(*(CODES.get(c, {c}) for c in expected["code_in"]))
        assert output.is_error
        assert output.code is not None
        assert output.code.value in allowed, output.text
    said = f"{output.text}{output.structured}"
    json.dumps(said)
    for secret in expected.get("response_excludes", ()):
        assert secret not in said


@pytest.mark.req("SBX-07", "SBX-03", "TOOL-04")
@pytest.mark.parametrize("case", cases("security_fs.json"))
async def test_a_file_case_holds(open_box: Any, tmp_path: Path, case: Any) -> None:
    field = Field(tmp_path)
    expected = case["expected"]
    with field.prepared(case["setup"]):
        before = field.outside()
        root = Path(field.at(case["input"].get("root_override", "$ROOT")))
        async with open_box(root) as box:
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            for _ in range(expected.get("repeat", 1)):
                started = time.monotonic()
                output = await ask(box, field, case["input"])
                assert (time.monotonic() - started) * 1000 < expected.get("max_ms", 3000)
                check(output, expected)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
            assert grown < expected.get("max_rss_mb_growth", 64)
    if expected.get("outside_unchanged"):
        assert field.outside() == before
    for path in expected.get("absent_after", ()):
        assert not field.exists(path)


@pytest.mark.req("TOOL-02")
async def test_a_kill_during_a_write_leaves_the_old_or_the_new_file(
    open_box: Any, tmp_path: Path
) -> None:
    path = tmp_path / "a.py"
    old, new = b"A=1\n", b"y" * 1_000_000
    async with open_box(tmp_path) as box:
        for attempt in range(20):
            path.write_bytes(old)
            connection = await box.sandbox.link.connection()
            write = asyncio.create_task(box.sandbox.workspace.write("a.py", new, expected=old))
            await asyncio.sleep(attempt * 0.001)
            os.kill(descendants(connection.pid)[-1], signal.SIGKILL)
            (ended,) = await asyncio.gather(write, return_exceptions=True)
            assert ended is None or isinstance(ended, WorkspaceError)
            assert path.read_bytes() in (old, new)
            await connection.close()


@pytest.mark.req("SBX-07", "SBX-05")
@pytest.mark.parametrize("case", cases("security_process.json"))
async def test_a_process_case_holds(open_box: Any, tmp_path: Path, case: Any) -> None:
    field = Field(tmp_path)
    for name in (".git/hooks", ".git/objects"):
        (field.root / name).mkdir(parents=True)
    (field.root / ".git" / "config").write_text("[core]\n")
    (field.root / "x").write_text("x")
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = field.at(case["input"]["run_command_python"])
        code = code.replace("$PORT", str(server.getsockname()[1]))
        async with open_box(field.root) as box:
            await _check_process(box, code, case["expected"])


async def _check_process(box: Any, code: str, expected: dict[str, Any]) -> None:
    (box.root / "case.py").write_text(code, encoding="utf-8")
    pid = (await box.sandbox.link.connection_for_command()).pid
    idle = len(descendants(pid))
    line = "python3 case.py" if "limit" in expected else "exec python3 case.py"
    output = await call(box, "execute_command", {"command": line, "timeout": 30})
    if expected.get("blocked"):
        assert output.structured["exit_code"] != 0, output.text  # pyright: ignore - our own JSON
        assert (box.root / ".git" / "config").read_text() == "[core]\n"
        assert not (box.root / "x").stat().st_mode & stat.S_ISUID
    if expected.get("truncated"):
        assert len(output.text) < 50_000
        assert "100,000,001 bytes" in output.text
    json.dumps(output.structured).encode()
    started = time.monotonic()
    assert "next" in (await call(box, "execute_command", {"command": "echo next"})).text
    assert time.monotonic() - started < 3
    assert len(descendants((await box.sandbox.link.connection()).pid)) == idle
