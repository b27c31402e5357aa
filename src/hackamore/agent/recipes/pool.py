"""The tests that were found so far: what passes is kept, until it notices enough."""

from collections.abc import Sequence
from dataclasses import dataclass

from hackamore.agent.recipes import proving, written_tests
from hackamore.agent.recipes.mutants import Mutant
from hackamore.agent.recipes.proving import Subject, Verdict
from hackamore.agent.recipes.workplace import Workplace


@dataclass(frozen=True, slots=True)
class Proof:
    """Tests that are worth keeping.

    Attributes:
        text: The file.
        tests: How many they are.
        noticed: The broken versions that they fail on.
        broken: All that were tried.
    """

    text: str
    tests: int
    noticed: int
    broken: int


class Pool:
    """Takes candidates one after the other; good tests of an earlier one stay.

    Attributes:
        broken: The versions that tests must notice half of.
    """

    def __init__(self, place: Workplace, subject: Subject, broken: Sequence[Mutant]) -> None:
        self._place = place
        self._subject = subject
        self.broken = broken
        self._text = ""

    async def add(self, candidate: str) -> Proof | None:
        """Try the tests of a candidate that are new; return the proof when all are enough.

        Raises:
            CallFailed: A call was denied or failed.
        """
        joined = written_tests.tidied(f"{self._text}\n{written_tests.whole(candidate)}")
        if written_tests.names_of_tests(joined) == written_tests.names_of_tests(self._text):
            return None
        verdict = await self._prove(joined)
        names = written_tests.names_of_tests(self._text)
        if verdict is None or not names or verdict.noticed * 2 < len(self.broken):
            return None
        return Proof(self._text, len(names), verdict.noticed, len(self.broken))

    async def _prove(self, text: str) -> Verdict | None:
        """Run the tests; while some fail on the code as it is, run the others again."""
        while written_tests.names_of_tests(text) and text != self._text:
            verdict = await proving.prove(self._place, self._subject, text, self.broken)
            if verdict.green:
                self._text = text
                return verdict
            left = written_tests.tidied(text, verdict.failed)
            if left == text:
                break
            text = left
        return None
