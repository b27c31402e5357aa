"""One request to the model, with patience: idle timeout, and further tries when it was busy."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from hackamore.agent.limits import Limits
from hackamore.core.clock import Clock
from hackamore.core.errors import ModelBusy, ModelStalled
from hackamore.core.events import Emit, Warned
from hackamore.core.model import Model, ModelEvent, ModelRequest

_FIRST_WAIT: Final = 1.0
_LONGEST_WAIT: Final = 60.0


async def stream(
    model: Model, request: ModelRequest, limits: Limits, clock: Clock, emit: Emit
) -> AsyncGenerator[ModelEvent, None]:
    """Yield the answer's pieces; try again while nothing has come and the provider was busy.

    Raises:
        ModelStalled: Nothing came for `limits.idle_timeout` seconds.
        ModelBusy: The provider was busy at every try, or broke off in the middle.
        ModelError: The provider refused.
    """
    for attempt in range(limits.retries + 1):
        begun = False
        try:
            async with aclosing(_watched(model, request, limits.idle_timeout)) as pieces:
                async for piece in pieces:
                    begun = True
                    yield piece
        except ModelBusy as error:
            if begun or attempt == limits.retries:
                raise
            wait = _wait(attempt, error.retry_after)
            emit(Warned(f"{error.message} Trying again in {wait:g} s."))
            await clock.sleep(wait)
        else:
            return


def _wait(attempt: int, asked: float | None) -> float:
    """Return seconds to wait: what the provider asks, else twice as long each time."""
    wait = _FIRST_WAIT * 2**attempt if asked is None else asked
    return min(wait, _LONGEST_WAIT)


async def _watched(
    model: Model, request: ModelRequest, idle_timeout: float
) -> AsyncGenerator[ModelEvent, None]:
    """Yield pieces as they come; raise when the next one takes too long."""
    async with aclosing(model.stream(request)) as pieces:
        while True:
            try:
                async with asyncio.timeout(idle_timeout):
                    piece = await anext(pieces)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise ModelStalled(
                    f"The model sent nothing for {idle_timeout:g} s, so its stream was closed.",
                    hint="Try again, or allow more time with HACKAMORE_IDLE_TIMEOUT (seconds).",
                ) from error
            yield piece
