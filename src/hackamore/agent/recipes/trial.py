"""One candidate on trial: written, tested, and taken back unless the tests are green."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

from hackamore.agent.recipes.workplace import CallFailed, Outcome, Workplace
from hackamore.core.codes import Code


@dataclass(frozen=True, slots=True)
class Original:
    """A file as it was before the first trial."""

    path: str
    text: str


async def try_out(
    place: Workplace, original: Original, text: str, command: str, seconds: int
) -> Outcome:
    """Write `text`, run the tests; when they fail or anything breaks, put the file back.

    Cancelling does the same first: the file is put back before the cancellation goes on.

    Raises:
        CallFailed: A call was denied or failed; the file is as it was, or the words say not.
    """
    try:
        await place.write(original.path, text)
        outcome = await place.run(command, seconds)
    except BaseException:
        await despite_cancel(put_back(place, original, text))
        raise
    if not outcome.green:
        await despite_cancel(put_back(place, original, text))
    return outcome


async def put_back(place: Workplace, original: Original, text: str) -> None:
    """Put the original back where the candidate `text` stands, and check that it is there.

    Raises:
        CallFailed: It could not be put back, or somebody else has changed the file meanwhile,
            whose text is then left alone.
    """
    path = original.path
    now = await place.read(path)
    if _same(now, original.text):
        return
    if not _same(now, text):
        words = f"{path} was changed by somebody else during the run; it is left as it is."
        raise CallFailed(words, Code.STALE_SNAPSHOT)
    try:
        await place.restore(path)
    except CallFailed as failure:
        words = f"{path} still holds a candidate, since putting it back failed: {failure.words}"
        raise CallFailed(words, failure.code) from failure
    if not _same(await place.read(path), original.text):
        raise CallFailed(f"{path} could not be put back as it was.", Code.INTERNAL)


def _same(one: str, other: str) -> bool:
    """Whether two texts are equal, whatever their line ends."""
    return one.replace("\r\n", "\n") == other.replace("\r\n", "\n")


async def despite_cancel(work: Awaitable[None]) -> None:
    """Finish `work` even when this task is cancelled, once or again; then be cancelled."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    await task
    if cancelled is not None:
        raise cancelled
