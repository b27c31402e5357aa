"""The recipe for fixing a failing test: gather, write, check, apply, test.

It ends in one of two ways only: the tests are green, or the files are as they were.
"""

from contextlib import aclosing
from dataclasses import replace
from typing import Final

from hackamore.agent.recipes import prompt, testrun
from hackamore.agent.recipes.check import Unfit, checked, fingerprint
from hackamore.agent.recipes.costs import MAX_CANDIDATES, MAX_SECONDS, Costs, TimeUp
from hackamore.agent.recipes.evidence import Evidence, gather
from hackamore.agent.recipes.paths import language
from hackamore.agent.recipes.plan import Plan
from hackamore.agent.recipes.results import done, failed, from_failure, not_fixed
from hackamore.agent.recipes.seam import Hands
from hackamore.agent.recipes.trial import Original, try_out
from hackamore.agent.recipes.workplace import CallFailed, Outcome, Workplace
from hackamore.agent.recipes.writer import Writer, room_for
from hackamore.core.changes import FileChange
from hackamore.core.clock import Clock
from hackamore.core.codes import Code
from hackamore.core.events import RunResult, TextDelta, ToolDraft
from hackamore.core.generator import TextGenerator, Turn
from hackamore.core.ids import new_id
from hackamore.core.project import ProjectContext

_FIRST_RUN_SECONDS: Final = 120
_SHARES: Final = {1: (MAX_CANDIDATES,), 2: (6, 4), 3: (5, 3, 2)}
_STEPS: Final = ("Run the tests", "Read what they point to", "Write and test a fix")
_NO_TESTS: Final = 5
_CANNOT_START: Final = (126, 127)


async def fix(
    hands: Hands,
    generator: TextGenerator,
    project: ProjectContext,
    request: str,
    clock: Clock,
) -> RunResult:
    """Make failing tests pass by rewriting one file, or change nothing.

    Args:
        hands: Does and shows everything.
        generator: The model.
        project: Names the test command.
        request: The person's words; may be empty.
        clock: Measures the limit of 80 seconds of trying.

    Raises:
        ModelError: The model failed; no file is changed.
    """
    if project.test_command is None:
        words = "No test command is known for this project, so that no fix could be proved."
        return failed(words, Code.NOT_FOUND)
    costs = Costs(clock, hands.emit)
    fixing = _Fixing(hands, generator, request, costs, clock)
    try:
        result = await fixing.run(testrun.short_command(project.test_command))
    except CallFailed as failure:
        result = from_failure(failure)
    except TimeUp:
        result = not_fixed(_gave_up(costs, f"the {MAX_SECONDS:.0f} seconds for it are over"))
    if result.text:
        hands.emit(TextDelta(result.text))
    return replace(result, input_tokens=costs.input_tokens, output_tokens=costs.output_tokens)


class _Fixing:
    """One run of the recipe."""

    def __init__(
        self, hands: Hands, generator: TextGenerator, request: str, costs: Costs, clock: Clock
    ) -> None:
        self._hands = hands
        self._generator = generator
        self._request = request
        self._costs = costs
        self._clock = clock
        self._place = Workplace(hands)
        self._plan = Plan(hands.emit, _STEPS)
        self._command = ""
        self._patience = _FIRST_RUN_SECONDS

    async def run(self, command: str) -> RunResult:
        """Run the tests with `command`, and fix what fails."""
        self._command = command
        self._plan.reach(0)
        before = self._clock.monotonic()
        first = await self._place.run(command, _FIRST_RUN_SECONDS)
        self._patience = _patience(self._clock.monotonic() - before)
        over = _nothing_to_fix(first, command)
        if over is not None:
            return over
        self._plan.reach(1)
        evidence = await gather(self._place, self._request, first.output)
        if not evidence.targets:
            return failed("The failing tests point to no file that may be changed.", Code.NOT_FOUND)
        self._plan.reach(2)
        return await self._try_files(evidence)

    async def _try_files(self, evidence: Evidence) -> RunResult:
        shares = _SHARES[len(evidence.targets)]
        too_long: list[str] = []
        for path, share in zip(evidence.targets, shares, strict=True):
            original = Original(path, await self._place.read(path))
            turns = prompt.for_fix(self._request, path, original.text, evidence)
            room = room_for(await self._generator.count([Turn("user", original.text)]))
            if await self._generator.count(turns) + room > self._generator.context:
                too_long.append(path)
                continue
            change = await self._try_file(original, turns, room, share)
            if change is not None:
                self._plan.finish()
                return done(f"Fixed {path}: the tests pass now.", change)
        if too_long and not self._costs.tried:
            words = f"{', '.join(too_long)} and its test are too long for this model."
            return failed(f"{words} Nothing was changed.", Code.CONTEXT_OVERFLOW)
        return not_fixed(_gave_up(self._costs, "none of the candidates made the tests pass"))

    async def _try_file(
        self, original: Original, turns: list[Turn], room: int, share: int
    ) -> FileChange | None:
        """Try up to `share` candidates for one file; return the change that made tests green."""
        self._costs.start()
        path = original.path
        writer = Writer(self._generator, self._shower(), self._costs.add, room)
        seen = {fingerprint(path, original.text)}
        tried = written = 0
        texts = writer.candidates(turns, prompt.fence(path), is_python=language(path) == "python")
        async with aclosing(texts) as candidates:
            async for text in candidates:
                self._costs.check_time()
                written += 1
                candidate = _fit(original, text, seen)
                if candidate is not None:
                    tried += 1
                    if await self._passes(original, candidate):
                        return FileChange(path, original.text, candidate)
                if tried >= share or written >= 3 * share:
                    return None
        return None

    async def _passes(self, original: Original, candidate: str) -> bool:
        self._costs.tried += 1
        command, patience = self._command, self._patience
        return (await try_out(self._place, original, candidate, command, patience)).green

    def _shower(self) -> "_Shower":
        return _Shower(self._hands, self._costs)


class _Shower:
    """Shows what is written, and stops the writing when the time is over."""

    def __init__(self, hands: Hands, costs: Costs) -> None:
        self._hands = hands
        self._costs = costs
        self._call_id = new_id("call")

    def __call__(self, text: str) -> None:
        self._costs.check_time()
        self._hands.emit(ToolDraft(self._call_id, "write_to_file", "content", text))


def _fit(original: Original, text: str, seen: set[str]) -> str | None:
    """Return the candidate when it is worth a test run and new; note that it was seen."""
    try:
        candidate = checked(original.path, original.text, text)
    except Unfit:
        return None
    mark = fingerprint(original.path, candidate)
    if mark in seen:
        return None
    seen.add(mark)
    return candidate


def _nothing_to_fix(first: Outcome, command: str) -> RunResult | None:
    """Return how the run ends when the tests pass, or cannot be run at all."""
    if first.green:
        return done("The tests pass already: there is nothing to fix.")
    if first.exit_code in _CANNOT_START or testrun.cannot_run(first.output):
        last = first.output.strip().splitlines()[-1:] or [""]
        return failed(f"The tests cannot be run with `{command}`: {last[0]}", Code.NOT_FOUND)
    if first.exit_code == _NO_TESTS and "pytest" in command:
        return failed(f"There are no tests to go by: `{command}` found none.", Code.NOT_FOUND)
    return None


def _patience(seconds: float) -> int:
    """Return how long a test run may take, when the first took `seconds`."""
    return min(_FIRST_RUN_SECONDS, max(10, int(3 * seconds) + 5))


def _gave_up(costs: Costs, why: str) -> str:
    tried = f"{costs.tried} candidate{'' if costs.tried == 1 else 's'}"
    return f"Not fixed: {why} ({tried} tested). The files are as they were."
