"""The recipes that only answer: find the files that a request is about, and ask once."""

import re
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from hackamore.agent.recipes import prompt, ranking
from hackamore.agent.recipes.costs import Costs
from hackamore.agent.recipes.paths import is_source
from hackamore.agent.recipes.results import done, failed, from_failure
from hackamore.agent.recipes.seam import Hands
from hackamore.agent.recipes.workplace import CallFailed, Workplace
from hackamore.core.clock import Clock
from hackamore.core.codes import Code
from hackamore.core.events import RunResult, TextDelta
from hackamore.core.generator import Generated, TextGenerator, Turn
from hackamore.core.project import ProjectContext

_MOST_FILES: Final = 2
_MOST_CHARACTERS: Final = 5000
_MOST_NAMES: Final = 8
_ANSWER_TOKENS: Final = 400
_READABLE: Final = re.compile(r"\.(?:md|rst|txt|toml|cfg|json|ya?ml)$", re.IGNORECASE)


async def explain(
    hands: Hands,
    generator: TextGenerator,
    project: ProjectContext,
    request: str,
    clock: Clock,
) -> RunResult:
    """Explain the file or the name that the request is about; nothing is changed."""
    wish = f"Explain what this code does, step by step and briefly. {request}".strip()
    return await _answer(hands, generator, request, wish, clock)


async def ask(
    hands: Hands,
    generator: TextGenerator,
    project: ProjectContext,
    request: str,
    clock: Clock,
) -> RunResult:
    """Answer a question about the project from its files; nothing is changed."""
    return await _answer(hands, generator, request, request, clock)


async def _answer(
    hands: Hands, generator: TextGenerator, request: str, wish: str, clock: Clock
) -> RunResult:
    costs = Costs(clock, hands.emit)
    try:
        files = await _relevant(Workplace(hands), request)
    except CallFailed as failure:
        return from_failure(failure)
    if not files:
        words = "No file of the project fits the request. Name one, such as `src/app.py`."
        return failed(words, Code.NOT_FOUND)
    text = await _stream(hands, generator, prompt.for_answer(wish, files), costs)
    result = done(text)
    return replace(result, input_tokens=costs.input_tokens, output_tokens=costs.output_tokens)


async def _stream(hands: Hands, generator: TextGenerator, turns: list[Turn], costs: Costs) -> str:
    """Ask the model, show the answer as it comes, and return it whole."""
    said: list[str] = []
    async with aclosing(generator.generate(turns, max_tokens=_ANSWER_TOKENS)) as parts:
        async for part in parts:
            if isinstance(part, Generated):
                costs.add(part)
            elif part.text:
                said.append(part.text)
                hands.emit(TextDelta(part.text))
    return "".join(said).strip()


async def _relevant(place: Workplace, request: str) -> list[tuple[str, str]]:
    """Return the files that the request is about, cut to what a small model reads quickly."""
    files = await place.files()
    names = ranking.words(request)[-_MOST_NAMES:]
    hits = [hit.path for hit in await place.search(_any_of(names))] if names else []
    named = ranking.mentioned(request, files)
    paths = list(named) or _best(files, hits)
    read = [(path, await place.read(path)) for path in paths[:_MOST_FILES]]
    room = _MOST_CHARACTERS // max(len(read), 1)
    return [(path, text if len(text) <= room else f"{text[:room]}\n…") for path, text in read]


def _best(files: Sequence[str], hits: Sequence[str]) -> list[str]:
    """Return the files with the most hits, code before prose; without hits, what there is."""
    known = [path for path in dict.fromkeys(hits) if is_source(path) or _READABLE.search(path)]
    ranked = sorted(known, key=lambda path: (not is_source(path), -hits.count(path)))
    fallback = [path for path in files if path.lower().startswith("readme")]
    return ranked or fallback or [path for path in files if is_source(path)]


def _any_of(names: Sequence[str]) -> str:
    return "(?i)" + "|".join(re.escape(name) for name in names)
