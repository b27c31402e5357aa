"""Opening real sandboxes over fresh workspaces."""

import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import pytest

from hackamore.core.workspace import Command, CommandResult
from hackamore.sandbox.opening import OpenSandbox, open_sandbox
from hackamore.sandbox.settings import Limits, SandboxSettings

PYTHON = Path(sys.executable).resolve()


@dataclass(frozen=True)
class Box:
    """An open sandbox and the workspace below it."""

    sandbox: OpenSandbox
    root: Path

    async def run(self, line: str, *, seconds: float = 60) -> CommandResult:
        return await self.sandbox.commands.execute(Command(line, timeout=seconds))

    async def python(self, code: str, *, seconds: float = 60) -> CommandResult:
        (self.root / "case.py").write_text(code, encoding="utf-8")
        return await self.run(f"exec {PYTHON} case.py", seconds=seconds)


OpenBox: TypeAlias = Callable[..., AbstractAsyncContextManager[Box]]


def settings(root: Path, limits: Limits) -> SandboxSettings:
    search_path = tuple(os.environ["PATH"].split(":"))
    state = str(root.parent / "covers")
    return SandboxSettings(str(root), search_path, str(Path.home()), state, limits=limits)


@asynccontextmanager
async def opened(
    root: Path, level: Literal["full", "none"] = "full", limits: Limits | None = None
) -> AsyncGenerator[Box]:
    sandbox = await open_sandbox(settings(root, limits or Limits()), level)
    try:
        yield Box(sandbox, root)
    finally:
        await sandbox.aclose()


@pytest.fixture
def open_box() -> OpenBox:
    return opened


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a repository, a secret and something outside of it."""
    folder = tmp_path / "project"
    (folder / ".git" / "hooks").mkdir(parents=True)
    (folder / ".git" / "config").write_text("[core]\n")
    (folder / "a.txt").write_text("hello\n")
    (folder / ".env").write_text("KEY=CANARY\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret.txt").write_text("CANARY\n")
    return folder
