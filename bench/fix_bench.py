"""How many one-bug projects `hackamore fix` mends with the embedded model, and at what cost.

Each project is made in a folder of its own and repaired by the command as a user types it, in the
sandbox. What is not fixed must be byte for byte as it was. The model must have been fetched.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fix_projects_one
import fix_projects_two
from fix_project import Project

_PROJECTS = (*fix_projects_one.PROJECTS, *fix_projects_two.PROJECTS)
_COMMAND = (sys.executable, "-m", "hackamore", "fix", "--approve", "all", "--json")
_MODEL = ("--model", "local:qwen2.5-coder-1.5b")
_WANTED = 8


@dataclass(frozen=True)
class Row:
    """One project's outcome. `clean`: nothing but what it claims has changed."""

    name: str
    fixed: bool
    tried: int
    cpu: float
    seconds: float
    words: str
    clean: bool


def main() -> None:
    """Run the projects and print a line for each."""
    parser = argparse.ArgumentParser(description="Repair ten one-bug projects.")
    parser.add_argument("names", nargs="*", help="only the projects whose name holds one of these")
    names = parser.parse_args().names
    chosen = [one for one in _PROJECTS if not names or any(name in one.name for name in names)]
    print(f"{'project':32} {'fixed':6} {'tried':>5} {'CPU s':>7} {'s':>6}")
    rows = [_show(_run_one(project)) for project in chosen]
    fixed = sum(row.fixed for row in rows)
    clean = all(row.clean for row in rows)
    print(f"\n{fixed} of {len(rows)} fixed; unfixed files unchanged: {clean}")
    if not clean or (not names and fixed < _WANTED):
        raise SystemExit(f"fewer than {_WANTED} were fixed, or a file was left changed")


def _show(row: Row) -> Row:
    print(
        f"{row.name:32} {'yes' if row.fixed else 'NO':6} {row.tried:5} {row.cpu:7.1f} "
        f"{row.seconds:6.1f}  {row.words}",
        flush=True,
    )
    return row


def _run_one(project: Project) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        _make(project, root)
        before, cpu, began = _contents(root), _cpu(), time.monotonic()
        done = subprocess.run([*_COMMAND, *_MODEL], cwd=root, capture_output=True, check=False)
        seconds, cpu, after = time.monotonic() - began, _cpu() - cpu, _contents(root)
        events: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
        claimed = _claimed(events[-1])
        paths = before.keys() | after.keys()
        others = {path for path in paths if before.get(path) != after.get(path)} - claimed
        fixed = done.returncode == 0 and _green(root)
    return Row(
        project.name,
        fixed,
        _commands(events) - 1,
        cpu,
        seconds,
        events[-1]["error"] or "",
        not others and (fixed or not claimed),
    )


def _commands(events: list[dict[str, Any]]) -> int:
    """Return how many commands were run: the tests once, and then once for each candidate."""
    ends = (event for event in events if event["type"] == "tool_call_finished")
    return sum(event["tool_id"] == "execute_command" for event in ends)


def _claimed(response: dict[str, Any]) -> set[str]:
    """Return the paths that the command says it changed."""
    output: dict[str, Any] = response["output"] or {}
    return {str(change["path"]) for change in output.get("changes", [])}


def _green(root: Path) -> bool:
    """Run the tests ourselves: what the command claims is not enough."""
    line = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(line, cwd=root, capture_output=True, check=False).returncode == 0


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
    """Return every file's bytes."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def _cpu() -> float:
    """Return the CPU seconds of all commands so far that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
