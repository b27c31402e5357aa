"""Finding what tests are to be written for: the file, and the way to run pytest on it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from hackamore.agent.recipes import ranking
from hackamore.agent.recipes.paths import is_source, is_test, language
from hackamore.agent.recipes.proving import Subject
from hackamore.agent.recipes.workplace import Workplace
from hackamore.core.project import ProjectContext

_CONFIGURATIONS: Final = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_DEFINITION: Final = r"^\s*(?:async\s+)?(?:def|class)\s+(?:%s)\b"
_PYTHON: Final = "python3"
_MOST_READ: Final = 20


class NoSubject(Exception):
    """There is nothing to write tests for; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is tested, and its text with plain line ends."""

    subject: Subject
    code: str


async def find_subject(
    place: Workplace, project: ProjectContext, request: str, files: Sequence[str]
) -> Found:
    """Return the Python file that the request is about.

    Raises:
        NoSubject: There is none.
        CallFailed: It could not be read.
    """
    sources = [path for path in files if is_source(path) and language(path) == "python"]
    path = await _chosen(place, request, files, sources)
    code = (await place.read(path)).replace("\r\n", "\n")
    subject = Subject(path, project.interpreter or _PYTHON, await _configuration(place, files))
    return Found(subject, code)


async def _chosen(
    place: Workplace, request: str, files: Sequence[str], sources: Sequence[str]
) -> str:
    named = ranking.mentioned(request, sources) or await _defining(place, request, sources)
    if not named and not request.strip():
        named = await _untested(place, files, sources)
    if named:
        return named[0]
    if ranking.mentioned(request, files):
        raise NoSubject("The embedded model writes tests for Python code only, and not for tests.")
    raise NoSubject("No Python file fits the request. Name one, such as `src/app.py`.")


async def _defining(place: Workplace, request: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Return the files that define what the request names, the one with most of it first."""
    names = ranking.words(request)
    if not names:
        return ()
    hits = await place.search(_DEFINITION % "|".join(re.escape(name) for name in names))
    return ranking.rank(sources, ([hit.path for hit in hits], 1))


async def _untested(
    place: Workplace, files: Sequence[str], sources: Sequence[str]
) -> tuple[str, ...]:
    """Return the files that no test imports; empty ones and scripts of the project aside."""
    tests = [path for path in files if is_test(path) and language(path) == "python"]
    texts = [await place.read(path) for path in tests[:_MOST_READ]]
    tested = {path for text in texts for path in ranking.imported(text, sources)}
    ordinary = [path for path in sources if PurePosixPath(path).stem not in ("__init__", "setup")]
    return tuple(path for path in ordinary if path not in tested)


async def _configuration(place: Workplace, files: Sequence[str]) -> str:
    """Return the file at the project's root that sets pytest up; empty when none does."""
    for name in _CONFIGURATIONS:
        if name in files and "pytest" in await place.read(name):
            return name
    return ""
