"""The ground a run stands on: the sandbox over a workspace, its tools, and what is known of it."""

import shutil
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hackamore.agent.project.gather import Surroundings, gather
from hackamore.compose.environment import Environment
from hackamore.compose.options import Options
from hackamore.compose.web import web_of
from hackamore.core.config import Config
from hackamore.core.project import ProjectContext
from hackamore.core.protected import SandboxRules
from hackamore.core.tools import Tool
from hackamore.core.workspace import SandboxLevel
from hackamore.edits.patch import Patches
from hackamore.edits.search_replace import apply
from hackamore.sandbox.opening import open_sandbox
from hackamore.sandbox.settings import SandboxSettings
from hackamore.tools.builtin import builtin_tools


@dataclass(frozen=True, slots=True)
class Ground:
    """A workspace that tools can work in.

    Attributes:
        tools: The built-in tools.
        project: What the project says of itself.
        level: The sandbox's level, as proved at start.
        covers_complete: Commands are kept from every hidden and read-only path that is searched
            for; False when the workspace has too many files to look at them all.
    """

    tools: tuple[Tool, ...]
    project: ProjectContext
    level: SandboxLevel
    covers_complete: bool = True


def rules_of(config: Config) -> SandboxRules:
    """Return the three lists: the defaults and what the configuration adds."""
    base = SandboxRules()
    return SandboxRules(
        hidden=base.hidden + config.sandbox.hidden + _denied(config),
        readonly=base.readonly + config.sandbox.readonly,
        ask=base.ask + config.sandbox.ask,
    )


def _denied(config: Config) -> tuple[str, ...]:
    """Return the paths that nothing may touch: the sandbox hides them, by whatever name."""
    project = config.project_approve
    return config.approve.deny_paths + (project.deny_paths if project else ())


@asynccontextmanager
async def open_ground(
    options: Options, config: Config, environment: Environment
) -> AsyncGenerator[Ground, None]:
    """Start the sandbox, look at the project, and at the end leave no process behind.

    Raises:
        SandboxUnavailable: There is no sandbox of the level asked for.
    """
    wanted = options.sandbox or config.sandbox.level
    level: Literal["full", "none"] = "none" if wanted == "none" else "full"
    sandbox = await open_sandbox(_settings(options, config, environment), level)
    try:
        around = Surroundings(sandbox.workspace, sandbox.commands, _interpreters(environment))
        yield Ground(
            tools=builtin_tools(
                sandbox.workspace, sandbox.commands, web_of(config), apply, Patches()
            ),
            project=await gather(around),
            level=sandbox.level,
            covers_complete=sandbox.covers_complete,
        )
    finally:
        await sandbox.aclose()


def _settings(options: Options, config: Config, environment: Environment) -> SandboxSettings:
    return SandboxSettings(
        root=str(options.workspace),
        search_path=tuple((environment.get("PATH") or "/usr/bin:/bin").split(":")),
        home=environment.get("HOME") or str(Path.home()),
        state=str(environment.state / "covers"),
        private=tuple(map(str, (environment.config, environment.state, environment.cache))),
        rules=rules_of(config),
        read=config.sandbox.read,
        write=config.sandbox.write,
    )


def _interpreters(environment: Environment) -> tuple[str, ...]:
    """Return Pythons of this machine that might have pytest: that of PATH, then our own."""
    found = (shutil.which(name, path=environment.get("PATH")) for name in ("python3", "python"))
    return tuple(dict.fromkeys([*filter(None, found), sys.executable]))
