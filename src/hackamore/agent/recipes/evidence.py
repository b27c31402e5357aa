"""Gathering for a fix: run the tests, and find the files that their failure points to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.agent.recipes import ranking, testrun
from hackamore.agent.recipes.excerpt import of_tests
from hackamore.agent.recipes.paths import is_test, language
from hackamore.agent.recipes.workplace import CallFailed, Workplace

_DEFINITION: Final = (
    r"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|class|function|const)\s+(?:%s)\b"
)
_MOST_NAMES: Final = 12
_MOST_TARGETS: Final = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a fix goes by.

    Attributes:
        targets: The files that may hold the bug, the likeliest first.
        test_path: The file of the test that failed; empty when the output names none.
        test_code: The part of it that matters.
        failure: What the test run said, shortened.
    """

    targets: tuple[str, ...]
    test_path: str
    test_code: str
    failure: str


async def gather(place: Workplace, request: str, output: str) -> Evidence:
    """Return the evidence for a failed test run whose output is given."""
    files = await place.files()
    in_output = [_in_project(name, files) for name in testrun.named_files(output)]
    test_path = next((name for name in in_output if is_test(name)), "")
    code = await place.read(test_path) if test_path else ""
    failed = testrun.failed_test(output)
    near = ranking.imported(code, files)
    targets = ranking.rank(
        files,
        (ranking.mentioned(request, files), 8),
        ([name for name in in_output if not is_test(name)][:1], 5),
        (in_output, 3),
        (near, 4),
        (await _definitions(place, f"{request}\n{_body(code, failed)}"), 5),
    )
    return Evidence(
        await _with_neighbours(place, targets, files),
        test_path,
        of_tests(code, failed),
        testrun.digest(output),
    )


async def _definitions(place: Workplace, text: str) -> tuple[str, ...]:
    """Return the files that define what the text names, once for each definition."""
    names = ranking.words(text)[-_MOST_NAMES:]
    if not names:
        return ()
    try:
        hits = await place.search(_DEFINITION % "|".join(re.escape(name) for name in names))
    except CallFailed as failure:
        if failure.denied:
            raise
        return ()
    return tuple(hit.path for hit in hits)


async def _with_neighbours(
    place: Workplace, targets: Sequence[str], files: Sequence[str]
) -> tuple[str, ...]:
    """Add the files that the likeliest one imports: a bug may lie one step further."""
    if not targets or language(targets[0]) == "":
        return tuple(targets[:_MOST_TARGETS])
    near = ranking.imported(await place.read(targets[0]), files)
    further = ranking.rank(files, (near, 1))
    return tuple(dict.fromkeys([*targets, *further]))[:_MOST_TARGETS]


def _body(code: str, failed: str) -> str:
    """Return the text of the failed test, up to the next one."""
    start = code.find(failed) if failed else 0
    end = code.find("\ndef test", start + 1)
    return code[start : end if end > 0 else None]


def _in_project(name: str, files: Sequence[str]) -> str:
    """Return the project's own path for one that the output names, perhaps absolutely."""
    return next((file for file in files if name == file or name.endswith(f"/{file}")), name)
