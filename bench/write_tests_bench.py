"""For how many small modules the embedded model writes tests that are kept, and at what cost.

Each module lies in a project of its own, and `hackamore generate-tests` is typed as a user
does. What is claimed is checked: the tests are run again here, and nothing else may have changed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from write_tests_projects import MODULES

_COMMAND = (sys.executable, "-m", "hackamore", "generate-tests", "--approve", "all", "--json")
_MODEL = ("--model", "local:qwen2.5-coder-1.5b")


def main() -> None:
    """Print a line for each module."""
    parser = argparse.ArgumentParser(description="Let tests be written for small modules.")
    parser.add_argument("names", nargs="*", help="only these modules")
    parser.add_argument("--show", action="store_true", help="print the tests")
    flags = parser.parse_args()
    results = [_one(name, show=flags.show) for name in flags.names or MODULES]
    print(f"\n{sum(results)} of {len(results)} modules have tests now")


def _one(name: str, *, show: bool) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        source = root / "app" / f"{name}.py"
        source.parent.mkdir()
        source.write_text(MODULES[name], "utf-8")
        (root / "app" / "__init__.py").touch()
        began = time.monotonic()
        done = subprocess.run(
            [*_COMMAND, *_MODEL, f"app/{name}.py"], cwd=root, capture_output=True, check=False
        )
        seconds = time.monotonic() - began
        end: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        tests = sorted(path for path in root.rglob("test_*.py"))
        assert source.read_text("utf-8") == MODULES[name]
        assert len([path for path in root.rglob("*") if path.is_file()]) == 2 + len(tests)
        assert bool(tests) == (done.returncode == 0)
        assert not tests or _green(root)
        print(f"{name:12} {seconds:6.1f} s  {end['error'] or end['output']['text']}", flush=True)
        if show and tests:
            print(tests[0].read_text("utf-8"))
    return bool(tests)


def _green(root: Path) -> bool:
    line = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(line, cwd=root, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    main()
