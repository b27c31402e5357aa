"""Gathering the project's context through the workspace and the sandbox, as a tool would."""

import asyncio
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.agent.project import node, python
from hackamore.core.errors import HackamoreError
from hackamore.core.project import ProjectContext
from hackamore.core.workspace import Command, Sandbox, Workspace

_RULES: Final = ("AGENTS.md",)
_MAX_PATHS: Final = 2000
_MAX_BYTES: Final = 256 * 1024
_PATIENCE: Final = 10.0
_VENVS: Final = (".venv", "venv")
_GIT: Final = (
    "git -c core.fsmonitor=false -c safe.directory='*' status --porcelain=v1 --branch 2>/dev/null"
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where to look.

    Attributes:
        workspace: The project's files.
        sandbox: Runs the few commands that ask git and Python.
        interpreters: Python interpreters of this machine to try, best first.
    """

    workspace: Workspace
    sandbox: Sandbox
    interpreters: Sequence[str]


async def gather(around: Surroundings) -> ProjectContext:
    """Return the project's context. What cannot be read is left out."""
    listing = await around.workspace.list(".", recursive=True, limit=_MAX_PATHS)
    paths = frozenset(entry.path for entry in listing.entries)
    names = (*python.FILES, *node.FILES, *_RULES)
    texts, interpreter, git = await asyncio.gather(
        _texts(around.workspace, [name for name in names if name in paths or name[0] == "."]),
        _interpreter(around),
        _output(around.sandbox, _GIT),
    )
    files = {name: text for name, text in texts.items() if name not in _RULES}
    found = (
        python.python_language(files, sorted(paths), interpreter),
        node.node_language(files, paths),
    )
    return ProjectContext(
        languages=tuple(language for language in found if language is not None),
        git=_git_line(git.splitlines()),
        rules=tuple((name, texts[name]) for name in _RULES if name in texts),
    )


async def _texts(workspace: Workspace, names: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        try:
            data = await workspace.read(name, max_bytes=_MAX_BYTES)
        except HackamoreError:
            continue
        found[name] = data.data.decode("utf-8", "replace")
    return found


async def _interpreter(around: Surroundings) -> str | None:
    """Return the command of a Python that has pytest: the project's own first."""
    candidates = [
        *(f"{venv}/bin/python" for venv in _VENVS),
        *(shlex.quote(path) for path in around.interpreters),
    ]
    probe = "import importlib.util as u, sys; sys.exit(u.find_spec('pytest') is None)"
    line = "; ".join(
        f'[ -x {one} ] && {one} -c "{probe}" && echo {one} && exit 0' for one in candidates
    )
    found = (await _output(around.sandbox, f"({line}) 2>/dev/null")).strip()
    return shlex.quote(found) if found else None


async def _output(sandbox: Sandbox, line: str) -> str:
    try:
        result = await sandbox.execute(Command(line, timeout=_PATIENCE))
    except HackamoreError:
        return ""
    return result.output.decode("utf-8", "replace") if result.exit_code == 0 else ""


def _git_line(status: list[str]) -> str:
    """Return ``branch main, 3 changed files`` from git's own words."""
    if not status:
        return ""
    branch = status[0].removeprefix("## ").split("...", 1)[0]
    changed = len(status) - 1
    if not changed:
        return f"branch {branch}, clean"
    return f"branch {branch}, {changed} changed file{'s' if changed > 1 else ''}"
