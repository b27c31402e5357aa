"""Fetching a model into the cache: whole, checked, by one process at a time, resumable."""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

from hackamore.core.errors import ModelUnavailable
from hackamore.local.catalogue import MODELS, LocalModel
from hackamore.local.from_file import FromFile
from hackamore.local.from_hub import FromHub
from hackamore.local.from_packages import FromPackages
from hackamore.local.in_thread import in_thread
from hackamore.local.lock import locked
from hackamore.local.partial import FetchFailed, OnProgress, Partial, Progress, sha256

_SPARE: Final = 128 * 1024 * 1024


class Source(Protocol):
    """A place that has the model's bytes."""

    @property
    def name(self) -> str:
        """How people are told of it."""
        ...

    async def fetch(self, partial: Partial, on_progress: OnProgress) -> None:
        """Add what is missing; raise `FetchFailed` when that does not work."""
        ...


def known(name: str) -> LocalModel:
    """Return the catalogue's entry.

    Raises:
        ModelUnavailable: There is no such model.
    """
    if name not in MODELS:
        raise ModelUnavailable(
            f"There is no local model {name}.", hint=f"There are: {', '.join(MODELS)}."
        )
    return MODELS[name]


def sources_for(model: LocalModel, file: Path | None = None) -> tuple[Source, ...]:
    """Return where to look, in this order: a file that was named, alone; else parts, then hub."""
    if file is not None:
        return (FromFile(file),)
    parts: tuple[Source, ...] = (FromPackages(model.parts),) if model.parts else ()
    return (*parts, FromHub(model.url))


def installed(model: LocalModel, cache: Path) -> Path | None:
    """Return the model's file when it is in the cache whole."""
    path = cache / model.file
    return path if path.is_file() and path.stat().st_size == model.size else None


def remove(model: LocalModel, cache: Path) -> bool:
    """Remove the model and what is left of tries to fetch it; return whether it was there."""
    there = installed(model, cache) is not None
    for path in (cache / model.file, _partial_path(model, cache)):
        path.unlink(missing_ok=True)
    return there


async def install(
    model: LocalModel, cache: Path, sources: Sequence[Source], on_progress: OnProgress
) -> Path:
    """Bring the model into the cache, and return its file.

    A source that fails gives way to the next, which goes on where it stopped. When cancelled,
    what was fetched is kept for the next try. `on_progress` is called in the caller's thread.

    Raises:
        ModelUnavailable: No source worked; the message names each and why.
    """
    await asyncio.to_thread(cache.mkdir, parents=True, exist_ok=True)

    loop = asyncio.get_running_loop()

    def tell(progress: Progress) -> None:
        """Bring what a thread says to the caller's own."""
        loop.call_soon_threadsafe(on_progress, progress)

    def waiting() -> None:
        tell(Progress(0, model.size, "waiting for another process that fetches it"))

    async with locked(_lock_path(model, cache), waiting):
        found = installed(model, cache)
        if found is None:
            partial = Partial(_partial_path(model, cache), model.size)
            _check_space(partial)
            try:
                await _fetch(model, partial, sources, tell)
            finally:
                await asyncio.to_thread(partial.close)
            found = partial.path.replace(cache / model.file)
        return found


async def _fetch(
    model: LocalModel, partial: Partial, sources: Sequence[Source], on_progress: OnProgress
) -> None:
    """Try the sources until one has given the right bytes."""
    failures: list[str] = []
    for source in sources:
        try:
            await source.fetch(partial, on_progress)
            await _check(model, partial, on_progress)
        except FetchFailed as failure:
            failures.append(f"{source.name}: {failure}")
        else:
            return
    raise ModelUnavailable(
        f"The model {model.name} could not be fetched. {'; '.join(failures)}.",
        hint=f"Set HACKAMORE_MODEL_FILE to a copy of {model.file}, or name another model.",
    )


async def _check(model: LocalModel, partial: Partial, on_progress: OnProgress) -> None:
    """Make sure that the whole file is the right one; a wrong one is removed."""

    def hashed(check: Callable[[], None]) -> str:
        def told(done: int) -> None:
            check()
            on_progress(Progress(done, partial.total, "checking"))

        return sha256(partial.path, told)

    if await in_thread(hashed) != model.sha256:
        partial.remove()
        raise FetchFailed("its bytes are not the model's (wrong SHA-256); they were removed")


def _check_space(partial: Partial) -> None:
    needed = partial.total - partial.size + _SPARE
    free = shutil.disk_usage(partial.path.parent).free
    if free < needed:
        raise ModelUnavailable(
            f"The disk has {free // 1_000_000} MB free; the model needs {needed // 1_000_000} MB.",
            hint="Free some space, or point HACKAMORE_HOME to another disk.",
        )


def _partial_path(model: LocalModel, cache: Path) -> Path:
    return cache / f"{model.file}.partial"


def _lock_path(model: LocalModel, cache: Path) -> Path:
    return cache / f"{model.file}.lock"
