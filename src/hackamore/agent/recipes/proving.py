"""Whether written tests hold: they pass on the code, and fail on broken versions of it.

No broken version is ever written where the project is. The tests lie in a temporary folder, made
and removed by the command that runs them, beside a driver that runs them once as the code is and
once for each broken version, each time in a process of its own; there the project's module gets
one line changed *in memory*, when it is imported. So there is nothing to put back: neither an end
by force, nor a full disk, nor a cancel can leave a broken file behind. The tests' current folder is
a temporary one too, so that what they write by accident is not in the project, and is seen.
"""

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from typing import Final

from hackamore.agent.recipes.mutants import Mutant
from hackamore.agent.recipes.testrun import digest
from hackamore.agent.recipes.workplace import CallFailed, Workplace
from hackamore.core.codes import Code

_SECONDS: Final = 100
_DRIVER: Final = resources.files("hackamore.agent.recipes").joinpath("driver.py")
_VERDICT: Final = re.compile(r"^broken version (\d+): (noticed|missed)$", re.MULTILINE)
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) \S*?::(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is tested, and how.

    Attributes:
        path: The source file.
        interpreter: The command that starts a Python with pytest.
        configuration: The project's configuration file of pytest; empty when there is none.
    """

    path: str
    interpreter: str
    configuration: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run of the tests showed.

    Attributes:
        green: They pass on the code as it is, and leave no files behind.
        failed: The names of those that do not pass.
        noticed: On how many broken versions they fail; 0 unless `green`.
        output: What the run on the code as it is said.
    """

    green: bool
    failed: frozenset[str]
    noticed: int
    output: str


async def check_import(place: Workplace, subject: Subject, head: str) -> None:
    """Make sure that a test file which begins with `head` can be run.

    Raises:
        CallFailed: It cannot, or the command was not allowed.
    """
    verdict = await prove(place, subject, f"{head}def test_nothing():\n    pass\n", ())
    if not verdict.green:
        words = f"A test of {subject.path} cannot be run: {digest(verdict.output)}"
        raise CallFailed(words, Code.NOT_FOUND)


async def prove(
    place: Workplace, subject: Subject, tests: str, mutants: Sequence[Mutant]
) -> Verdict:
    """Run the tests on the code as it is, and when they pass, on each broken version.

    Raises:
        CallFailed: The command was not allowed.
    """
    outcome = await place.run(_script(subject, tests, mutants), _SECONDS)
    failed = frozenset(_FAILED.findall(outcome.output))
    found = [word for _number, word in _VERDICT.findall(outcome.output)]
    return Verdict(outcome.green, failed, found.count("noticed"), outcome.output)


def _script(subject: Subject, tests: str, mutants: Sequence[Mutant]) -> str:
    """Return the command line."""
    changes = json.dumps([asdict(mutant) for mutant in mutants])
    settings = f"-c {shlex.quote(subject.configuration)}" if subject.configuration else ""
    return "\n".join(
        [
            f"# Tests of {subject.path}, on it and on {len(mutants)} broken versions",
            "work=$(mktemp -d) && trap 'rm -rf \"$work\"' EXIT || exit",
            *_file("test_candidate.py", tests),
            *_file("changes.json", changes),
            *_file("driver.py", _DRIVER.read_text("utf-8")),
            f'{subject.interpreter} "$work/driver.py" {shlex.quote(subject.path)} {settings}',
        ]
    )


def _file(name: str, text: str) -> list[str]:
    """Return the lines that write a file; its text is not looked at by the shell."""
    end = "END_OF_FILE"
    while end in text:
        end += "_"
    return [f"cat > \"$work/{name}\" <<'{end}'", text.rstrip("\n"), end]
