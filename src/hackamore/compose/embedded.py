"""The embedded model: found in the cache, or fetched when the person wants it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Protocol

from hackamore.compose.environment import Environment
from hackamore.core.errors import ModelUnavailable
from hackamore.core.generator import TextGenerator
from hackamore.local.catalogue import LocalModel
from hackamore.local.generator import LocalGenerator
from hackamore.local.install import install, installed, known, sources_for
from hackamore.local.partial import Progress

_CONTEXT: Final = 8192


class Fetching(Protocol):
    """The person, where a model is to be fetched."""

    async def wanted(self, name: str, size: int) -> bool:
        """Ask whether to fetch `size` bytes."""
        ...

    def started(self, name: str, size: int) -> None:
        """A download of `size` bytes begins."""
        ...

    def moved(self, done: int, what: str) -> None:
        """`done` bytes are there; `what` says what goes on."""
        ...

    def ended(self) -> None:
        """The download is over, well or not."""
        ...


def model_cache(environment: Environment) -> Path:
    """Return the folder that holds the models of all projects."""
    return environment.cache / "models"


@asynccontextmanager
async def open_embedded(
    name: str, environment: Environment, fetching: Fetching
) -> AsyncGenerator[TextGenerator, None]:
    """Make sure that the model is there; give a generator, whose process ends at the end.

    Raises:
        ModelUnavailable: There is no such model, nobody wants to fetch it, or it is not to be had.
    """
    model = known(name)
    path = installed(model, model_cache(environment))
    if path is None:
        if not await fetching.wanted(model.name, model.size):
            raise ModelUnavailable(
                f"There is no model: no key is set, no model server answers, and the embedded "
                f"model {model.name} ({model.size / 1e9:.1f} GB) is not fetched yet.",
                hint=f"Type: hackamore models install {model.name} (or pass --yes).",
            )
        path = await fetch(model, environment, fetching)
    generator = LocalGenerator(path, context=_CONTEXT)
    try:
        yield generator
    finally:
        await generator.aclose()


async def fetch(model: LocalModel, environment: Environment, fetching: Fetching) -> Path:
    """Fetch a model into the cache and return its file.

    Raises:
        ModelUnavailable: No source worked; says which failed and why.
    """
    found = installed(model, model_cache(environment))
    if found is not None:
        return found
    sources = sources_for(model, _named_file(environment))
    fetching.started(model.name, model.size)

    def moved(progress: Progress) -> None:
        fetching.moved(progress.done_bytes, progress.what)

    try:
        return await install(model, model_cache(environment), sources, moved)
    finally:
        fetching.ended()


def _named_file(environment: Environment) -> Path | None:
    named = environment.get("HACKAMORE_MODEL_FILE")
    return Path(named).expanduser() if named else None
