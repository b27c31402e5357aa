"""Fail when a source file is too long, or files are long as a rule."""

import statistics
import sys
from pathlib import Path
from typing import Final

LONGEST: Final = 400
MEDIAN: Final = 120


def main() -> int:
    """Check ``src`` and print what is wrong."""
    root = Path(__file__).parents[1] / "src"
    sizes = {path: _lines(path) for path in sorted(root.rglob("*.py"))}
    for path, size in sizes.items():
        if size > LONGEST:
            print(f"{path.relative_to(root)} has {size} lines, more than {LONGEST}")
    median = statistics.median(size for size in sizes.values() if size)
    print(f"{len(sizes)} files, {sum(sizes.values())} lines, median {median:g}")
    return int(median > MEDIAN or max(sizes.values()) > LONGEST)


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    sys.exit(main())
