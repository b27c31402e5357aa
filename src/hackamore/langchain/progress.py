"""What a running call tells, as LangChain's custom events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from langchain_core.callbacks import adispatch_custom_event

from hackamore.core.events import Emit, Event, ToolProgress

TOOL_PROGRESS: Final = "tool_progress"
"""The name of the custom events; their data has ``tool``, ``call_id`` and ``text``."""


def unheard(event: Event) -> None:
    """Tell nobody."""


@asynccontextmanager
async def told_as_custom_events() -> AsyncGenerator[Emit]:
    """Give a function that tells of progress from any thread; all is told in order at the end.

    Must be entered where LangChain's configuration of the call holds.
    """
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[ToolProgress | None] = asyncio.Queue()
    teller = asyncio.create_task(_tell(waiting))
    over = False

    def emit(event: Event) -> None:
        if isinstance(event, ToolProgress) and not over:
            loop.call_soon_threadsafe(waiting.put_nowait, event)

    try:
        yield emit
        loop.call_soon_threadsafe(waiting.put_nowait, None)
        await teller
    finally:
        over = True
        teller.cancel()


async def _tell(waiting: "asyncio.Queue[ToolProgress | None]") -> None:
    while (event := await waiting.get()) is not None:
        data = {"tool": event.tool, "call_id": event.call_id, "text": event.text}
        await adispatch_custom_event(TOOL_PROGRESS, data)
