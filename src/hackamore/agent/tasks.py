"""Named tasks: what a person often wants, as a prompt with the mode that it needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hackamore.core.effects import Effect


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Attributes:
        name: As typed on the command line.
        mode: The least that it can do its work in.
        needs: Effects without which it cannot do its work.
        prompt: For the free loop; ``{request}`` is the person's words.
        default: The request when the person gives none.
    """

    name: str
    mode: Literal["plan", "act"]
    needs: frozenset[Effect]
    prompt: str
    default: str

    def words(self, request: str) -> str:
        """Return the prompt for `request`."""
        return self.prompt.format(request=request or self.default)


TASKS: Final[Mapping[str, Task]] = {
    task.name: task
    for task in (
        Task(
            name="fix",
            mode="act",
            needs=frozenset({Effect.WRITE, Effect.RUN}),
            prompt=(
                "Repair this project so that its tests pass: {request}\n"
                "Run the tests first, find the cause, make the smallest change to the code (never "
                "to the tests), and run the tests again. Claim success only when they pass."
            ),
            default="make the failing tests pass",
        ),
        Task(
            name="generate_tests",
            mode="act",
            needs=frozenset({Effect.WRITE, Effect.RUN}),
            prompt=(
                "Write tests in a new file for this: {request}\n"
                "Read the code and the tests that exist, and follow their manner. Run your tests: "
                "they must pass on the code as it is. Then show that they fail when the code is "
                "broken: change one thing in it, run them, put it back exactly, and do so for each "
                "behaviour. End with the code unchanged and the tests passing."
            ),
            default="the code that has the fewest tests",
        ),
        Task(
            name="explain",
            mode="plan",
            needs=frozenset(),
            prompt=(
                "Explain this for someone who is new to the project: {request}\n"
                "Read the code before you explain it. Name files and functions."
            ),
            default="what this project does and how it is built",
        ),
        Task(
            name="ask",
            mode="plan",
            needs=frozenset(),
            prompt="Answer from the project's own files, and name them: {request}",
            default="what is in this project?",
        ),
    )
}
