"""How many one-bug projects the fix recipe mends with the embedded model, and at what cost.

Each project is made in a folder of its own. What is not fixed must be byte for byte as it was.
Run it with the model in the cache, or with HACKAMORE_MODEL_FILE.
"""

import asyncio
import os
import resource
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import fix_projects_one
import fix_projects_two
from fix_project import Project

from hackamore.agent.recipes import fix
from hackamore.compose.clock import SystemClock
from hackamore.compose.embedded import model_cache
from hackamore.compose.environment import read_environment
from hackamore.core.project import Language, ProjectContext
from hackamore.local.catalogue import DEFAULT
from hackamore.local.generator import LocalGenerator
from hackamore.local.install import installed
from hackamore.testing.folder_hands import FolderHands

_CONTEXT = ProjectContext((Language("Python", "3.11", (), "python -m pytest -q", ()),))
_PROJECTS = (*fix_projects_one.PROJECTS, *fix_projects_two.PROJECTS)
_WANTED = 8


@dataclass(frozen=True)
class Row:
    """One project's outcome."""

    name: str
    fixed: bool
    tried: int
    cpu: float
    seconds: float
    words: str
    clean: bool


def main() -> None:
    """Run all projects and print a line for each."""
    rows = asyncio.run(_run_all(_model()))
    fixed = sum(row.fixed for row in rows)
    print(f"\n{fixed} of {len(rows)} fixed; unfixed files unchanged: {all(r.clean for r in rows)}")
    if fixed < _WANTED or not all(row.clean for row in rows):
        raise SystemExit(f"fewer than {_WANTED} were fixed, or a file was left changed")


async def _run_all(model: Path) -> list[Row]:
    generator = LocalGenerator(model)
    await generator.start()
    rows: list[Row] = []
    print(f"{'project':32} {'fixed':6} {'tried':>5} {'CPU s':>7} {'s':>6}")
    for project in _PROJECTS:
        with tempfile.TemporaryDirectory() as folder:
            row = await _run_one(project, Path(folder), generator)
        print(
            f"{row.name:32} {'yes' if row.fixed else 'NO':6} {row.tried:5} {row.cpu:7.1f} "
            f"{row.seconds:6.1f}  {row.words}",
            flush=True,
        )
        rows.append(row)
    await generator.aclose()
    return rows


async def _run_one(project: Project, root: Path, generator: LocalGenerator) -> Row:
    _make(project, root)
    before, hands = _contents(root), FolderHands(root)
    cpu, began = _cpu(generator), time.monotonic()
    result = await fix(hands, generator, _CONTEXT, "", SystemClock())
    seconds, cpu = time.monotonic() - began, _cpu(generator) - cpu
    fixed = result.status == "success"
    tested = await hands.call("execute_command", {"command": "python -m pytest -q", "timeout": 60})
    after = _contents(root)
    allowed = {change.path for change in result.changes}
    clean = all(after.get(path) == data for path, data in before.items() if path not in allowed)
    return Row(
        project.name,
        fixed and not tested.is_error,
        hands.count("execute_command") - 2,
        cpu,
        seconds,
        result.error or "",
        clean and (fixed or after == before),
    )


def _make(project: Project, root: Path) -> None:
    files = {
        "pyproject.toml": f'[project]\nname = "{project.module}"\nversion = "1"\n\n'
        '[tool.pytest.ini_options]\npythonpath = ["."]\n',
        f"{project.module}/__init__.py": "",
        f"{project.module}/{project.module}.py": project.code,
        f"tests/test_{project.module}.py": project.tests,
    }
    for path, text in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8")


def _contents(root: Path) -> Mapping[str, bytes]:
    """Return every file's bytes, but for caches of the interpreter."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {"__pycache__", ".pytest_cache"} & set(path.parts)
    }


def _cpu(generator: LocalGenerator) -> float:
    """Return the CPU seconds of the model, the test runs and ourselves so far."""
    stat = Path(f"/proc/{generator.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    ticks = int(stat[11]) + int(stat[12])
    own = (resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF))
    used = sum(item.ru_utime + item.ru_stime for item in own)
    return ticks / os.sysconf("SC_CLK_TCK") + used


def _model() -> Path:
    named = os.environ.get("HACKAMORE_MODEL_FILE")
    path = Path(named) if named else installed(DEFAULT, model_cache(read_environment(Path.cwd())))
    if path is None or not path.is_file():
        raise SystemExit(f"Fetch the model first: hackamore models install {DEFAULT.name}")
    return path


if __name__ == "__main__":
    main()
