"""How long edits take: many blocks in a large file, beside the floor of reading its lines."""

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from hackamore.edits.patch import Patches
from hackamore.edits.search_replace import apply

BLOCKS: Final = 500
SIZES: Final = (2_500_000, 5_000_000, 10_000_000)


def main() -> int:
    """Print CPU seconds for SEARCH/REPLACE and for a patch; fail when 10 MB take over 2 s."""
    print(f"{BLOCKS} blocks; CPU seconds")
    print(f"{'characters':>12}{'floor':>9}{'blocks':>9}{'patch':>9}")
    worst = 0.0
    for size in SIZES:
        lines = [f"line {number:07d} of the file\n" for number in range(size // 25)]
        text = "".join(lines)
        step = len(lines) // BLOCKS
        chosen = [lines[at * step] for at in range(BLOCKS)]
        floor = _cpu(partial(text.split, "\n"))
        blocks = _cpu(partial(apply, text, _blocks(chosen)))
        patch = _cpu(partial(_patched, text, _patch(chosen)))
        print(f"{len(text):12,}{floor:9.2f}{blocks:9.2f}{patch:9.2f}")
        worst = max(worst, blocks, patch)
    return int(worst > 2)  # the promise


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _blocks(chosen: list[str]) -> str:
    return "".join(f"------- SEARCH\n{line}=======\nnew {line}+++++++ REPLACE\n" for line in chosen)


def _patch(chosen: list[str]) -> str:
    hunks = "".join(f"@@\n-{line}+new {line}" for line in chosen)
    return f"*** Begin Patch\n*** Update File: a\n{hunks}*** End Patch\n"


def _patched(text: str, patch: str) -> str:
    (one,) = Patches().read(patch)
    return Patches().apply(text, one)


if __name__ == "__main__":
    sys.exit(main())
