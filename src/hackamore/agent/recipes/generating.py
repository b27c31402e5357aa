"""The recipe for writing tests: write, drop what fails, prove the rest on broken versions, keep.

It ends in one of two ways only: a new test file that passes on the code and fails on at least half
of its broken versions, or files as they were. The trials touch no file of the project; the one
write comes at the end.
"""

from contextlib import aclosing
from dataclasses import replace
from typing import Final

from hackamore.agent.recipes import keeping, prompt, proving, written_tests
from hackamore.agent.recipes.costs import MAX_CANDIDATES, MAX_SECONDS, Costs, TimeUp
from hackamore.agent.recipes.mutants import mutants
from hackamore.agent.recipes.plan import Plan
from hackamore.agent.recipes.pool import Pool, Proof
from hackamore.agent.recipes.results import done, failed, from_failure, not_written
from hackamore.agent.recipes.seam import Hands
from hackamore.agent.recipes.subject import Found, NoSubject, find_subject
from hackamore.agent.recipes.workplace import CallFailed, Workplace
from hackamore.agent.recipes.writer import Enough, Writer
from hackamore.core.clock import Clock
from hackamore.core.codes import Code
from hackamore.core.events import RunResult, TextDelta, ToolDraft
from hackamore.core.generator import Generated, TextGenerator, Turn
from hackamore.core.ids import new_id
from hackamore.core.project import ProjectContext

_STEPS: Final = ("Read the code", "Write tests and try them on broken versions", "Keep them")
_ANSWER_TOKENS: Final = 360
_MOST_TESTS: Final = 9
_FIRST_ANSWER_SECONDS: Final = 45.0


async def generate_tests(
    hands: Hands,
    generator: TextGenerator,
    project: ProjectContext,
    request: str,
    clock: Clock,
) -> RunResult:
    """Write a test file for one Python file, or change nothing.

    Args:
        hands: Does and shows everything.
        generator: The model.
        project: Names the Python that has pytest.
        request: Names the file, or what is in it; may be empty.
        clock: Measures the limit of 80 seconds of trying.

    Raises:
        ModelError: The model failed; no file is changed.
    """
    costs = Costs(clock, hands.emit)
    generating = _Generating(hands, generator, costs, clock)
    try:
        result = await generating.run(project, request)
    except CallFailed as failure:
        result = from_failure(failure)
    except NoSubject as error:
        result = failed(str(error), Code.NOT_FOUND)
    except TimeUp:
        result = not_written(_gave_up(costs, f"the {MAX_SECONDS:.0f} seconds for it are over"))
    if result.text:
        hands.emit(TextDelta(result.text))
    return replace(result, input_tokens=costs.input_tokens, output_tokens=costs.output_tokens)


class _Generating:
    """One run of the recipe."""

    def __init__(self, hands: Hands, generator: TextGenerator, costs: Costs, clock: Clock) -> None:
        self._hands = hands
        self._generator = generator
        self._costs = costs
        self._clock = clock
        self._place = Workplace(hands)
        self._plan = Plan(hands.emit, _STEPS)

    async def run(self, project: ProjectContext, request: str) -> RunResult:
        """Find the file, write tests for it, and keep those that are proved."""
        self._plan.reach(0)
        files = await self._place.files()
        found = await find_subject(self._place, project, request, files)
        path = found.subject.path
        pool = Pool(self._place, found.subject, mutants(found.code))
        if not pool.broken:
            raise NoSubject(f"{path} holds nothing that a test could find to be broken.")
        head = written_tests.head(path, found.code, files)
        if not head:
            raise NoSubject(f"{path} defines nothing that a test could import.")
        await proving.check_import(self._place, found.subject, head)
        turns = prompt.for_tests(request, path, found.code)
        if await self._generator.count(turns) + _ANSWER_TOKENS > self._generator.context:
            words = f"{path} is too long for this model. Nothing was changed."
            return failed(words, Code.CONTEXT_OVERFLOW)
        self._plan.reach(1)
        proof = await self._prove(pool, turns, path, head)
        if proof is None:
            return not_written(_gave_up(self._costs, "the tests did not notice broken code"))
        self._plan.reach(2)
        return await self._keep(proof, found, written_tests.new_path(path, files))

    async def _prove(self, pool: Pool, turns: list[Turn], path: str, head: str) -> Proof | None:
        """Write candidates until their tests are enough."""
        self._costs.start()
        shower = _Shower(self._hands, self._costs, self._clock)
        writer = Writer(self._generator, shower, shower.end, _ANSWER_TOKENS)
        start = f"{head}def test_"
        texts = writer.candidates(turns, f"{prompt.fence(path)}{start}", is_python=True)
        async with aclosing(texts) as candidates:
            async for text in candidates:
                self._costs.check_time()
                self._costs.tried += 1
                proof = await pool.add(start + shower.surely_whole(text))
                if proof is not None or self._costs.tried >= MAX_CANDIDATES:
                    return proof
                shower.begin()
        return None

    async def _keep(self, proof: Proof, found: Found, path: str) -> RunResult:
        change = await keeping.keep(self._place, found.subject, path, proof.text)
        if change is None:
            words = f"Not written: the tests pass by themselves, but not as {path}. It is removed."
            return not_written(words)
        self._plan.finish()
        tests = f"{proof.tests} test{'' if proof.tests == 1 else 's'}"
        words = (
            f"Wrote {path}: {tests} that pass{'es' if proof.tests == 1 else ''}. Of "
            f"{proof.broken} broken versions of {found.subject.path}, they notice {proof.noticed}."
        )
        numbers = {"tests": proof.tests, "broken": proof.broken, "noticed": proof.noticed}
        return replace(done(words, change), structured={"path": path, **numbers})


class _Shower:
    """Shows what is written; ends an answer that has enough tests or takes too long."""

    def __init__(self, hands: Hands, costs: Costs, clock: Clock) -> None:
        self._hands = hands
        self._costs = costs
        self._clock = clock
        self._call_id = new_id("call")
        self._until = clock.monotonic() + _FIRST_ANSWER_SECONDS
        self.begin()

    def begin(self) -> None:
        """Another answer begins."""
        self._text = ""
        self._cut = True

    def end(self, answer: Generated) -> None:
        """The answer ended by itself, or since it was too long."""
        self._costs.add(answer)
        self._cut = answer.reason == "length"

    def surely_whole(self, text: str) -> str:
        """Return the answer without a last line that may be cut off in the middle."""
        return text[: text.rfind("\n") + 1] if self._cut else text

    def __call__(self, text: str) -> None:
        self._costs.check_time()
        self._hands.emit(ToolDraft(self._call_id, "write_to_file", "content", text))
        self._text += text
        slow = not self._costs.tried and self._clock.monotonic() >= self._until
        if slow or self._text.count("\ndef ") >= _MOST_TESTS:
            raise Enough


def _gave_up(costs: Costs, why: str) -> str:
    tried = f"{costs.tried} candidate{'' if costs.tried == 1 else 's'}"
    return f"No tests written: {why} ({tried} tried). The files are as they were."
