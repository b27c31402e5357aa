"""Keeping the workspace as it was, before a call that may change it."""

import asyncio
from typing import Final

from hackamore.core.checkpoints import Checkpoints
from hackamore.core.effects import Effect
from hackamore.core.errors import HackamoreError
from hackamore.core.events import CheckpointCreated, Emit, Warned
from hackamore.core.tools import ToolSpec

_CHANGING: Final = frozenset({Effect.WRITE, Effect.RUN})


async def keep_before(
    checkpoints: Checkpoints, spec: ToolSpec, step: tuple[str, str, list[str]], emit: Emit
) -> None:
    """Take a checkpoint before a permitted call; say so, or why there is none.

    Args:
        checkpoints: What keeps the workspace.
        spec: The tool; reading ones need no checkpoint.
        step: The call's id, its title, and the paths that it names.
        emit: Whom to tell.
    """
    if not _may_change(spec):
        return
    call_id, title, paths = step
    try:
        kept = await asyncio.to_thread(checkpoints.before, call_id, title, paths)
    except (OSError, HackamoreError) as error:
        emit(Warned(f"There is no checkpoint before this step, so it cannot be undone: {error}"))
        return
    if kept is not None:
        emit(CheckpointCreated(call_id, kept, title))


def _may_change(spec: ToolSpec) -> bool:
    """Tell whether a call may change files; a server's tool that uses the network may, too."""
    if spec.server is not None:
        return spec.effect is not Effect.READ
    return spec.effect in _CHANGING
