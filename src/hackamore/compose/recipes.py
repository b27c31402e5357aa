"""What the embedded model does with a request: the recipe for it, or a plain no."""

import re
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from hackamore.agent.recipes import Hands, ask, explain, fix, generate_tests
from hackamore.core.clock import Clock
from hackamore.core.errors import ModelAuth
from hackamore.core.events import RunResult
from hackamore.core.generator import TextGenerator
from hackamore.core.project import ProjectContext

Recipe: TypeAlias = Callable[
    [Hands, TextGenerator, ProjectContext, str, Clock], Awaitable[RunResult]
]

RECIPES: Final[dict[str, Recipe]] = {
    "fix": fix,
    "generate_tests": generate_tests,
    "explain": explain,
    "ask": ask,
}
ABILITIES: Final = (
    "The embedded model can fix failing tests (green tests or unchanged files), write tests for a "
    "Python file, explain code and answer questions about it. It is too small for free tasks."
)
_INTENTS: Final = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "generate_tests",
            r"\b(write|generate|add|create)\b[\w\s]{0,30}\btests?\b|(写|编写|生成|添加).{0,6}测试",
        ),
        ("fix", r"\b(fix|repair|debug|failing|fails?|broken|red|green|pass)\b|修"),
        ("explain", r"\b(explain|describe|summari[sz]e|walk me through)\b|解释|说明"),
        ("ask", r"^(where|what|which|who|how|why|when|does|do|is|are|can)\b|[?\uff1f]\s*$"),
    )
)


def recipe_for(task: str | None, request: str) -> Recipe:
    """Return the recipe for a named task, or for the intent that the words show.

    Raises:
        ModelAuth: It is none of the tasks that the embedded model is able to do.
    """
    if task is not None:
        return RECIPES[task]
    for name, words in _INTENTS:
        if words.search(request.strip()):
            return RECIPES[name]
    raise ModelAuth(
        f"{ABILITIES} This request is none of these.",
        hint="For free tasks, set a provider's key, start a model server such as Ollama, or name a "
        "model with --model.",
    )
