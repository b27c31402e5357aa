"""Runs the tests beside it as the code is, then on each broken version of one of its files.

Written into a temporary folder and started there by `proving`; it imports pytest and the standard
library only. Each run is a process of its own; a broken version is one line changed in memory
while Python imports the file. Arguments: the file, then options for pytest.
"""

import json
import os
import signal
import sys
import tokenize
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

SECONDS = 10
WORK = Path(__file__).resolve().parent
OPTIONS = [
    *("-q", "--tb=short", "--rootdir=.", "-pno:cacheprovider", "-oaddopts="),
    "-Wignore::pytest.PytestAssertRewriteWarning",
]


class Elsewhere:
    """Lets the tests run in a folder where nothing is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def pytest_collection_finish(self) -> None:
        """Go there when all is found."""
        self.folder.mkdir()
        os.chdir(self.folder)


def main() -> None:
    """Tell of each broken version whether the tests notice it; exit as pytest does."""
    path, *more = sys.argv[1:]
    sys.path[0] = str(Path.cwd())
    options = [*OPTIONS, *more]
    load_plugins(options)
    right = run([*options, str(WORK / "test_candidate.py")], WORK / "right")
    if right == 0 and any((WORK / "right").iterdir()):
        raise SystemExit("The tests leave files behind.")
    if right != 0:
        raise SystemExit(right)
    changes = json.loads((WORK / "changes.json").read_text("utf-8"))
    for number, change in enumerate(changes, 1):
        here = WORK / f"broken_{number}"
        status = run([*options, "-x", str(WORK / "test_candidate.py")], here, (path, change))
        print(f"broken version {number}: {'noticed' if status else 'missed'}", flush=True)


def load_plugins(options: list[str]) -> None:
    """Let pytest load what it needs once, for all runs; the project's code is not loaded."""
    empty = WORK / "empty"
    empty.mkdir()
    sys.stdout, shown = (WORK / "unseen").open("w"), sys.stdout
    pytest.main([*options, str(empty)])
    sys.stdout = shown


def run(options: list[str], folder: Path, broken: tuple[str, Any] | None = None) -> int:
    """Run pytest in a process of its own and return how it ended; 0 when all tests pass."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.alarm(SECONDS)
    if broken is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        break_import(*broken)
    status = pytest.main(options, plugins=[Elsewhere(folder)])
    sys.stdout.flush()
    os._exit(status)


def break_import(path: str, change: dict[str, Any]) -> None:
    """Let Python see another line when it imports the file."""
    plain, target = SourceFileLoader.get_code, Path(path).resolve()

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        if Path(self.path).resolve() != target:
            return plain(self, fullname)
        with tokenize.open(str(target)) as file:
            lines = file.read().split("\n")
        lines[change["line"] - 1] = change["text"]
        code: CodeType = compile("\n".join(lines), self.path, "exec", dont_inherit=True)
        return code

    SourceFileLoader.get_code = get_code


if __name__ == "__main__":
    main()
