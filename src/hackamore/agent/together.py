"""Several calls of one message: what only reads runs together, what changes runs in turn."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import groupby

from hackamore.agent.act import Actor
from hackamore.agent.wrapped import unwrapped
from hackamore.core.effects import Effect
from hackamore.core.messages import ToolCall
from hackamore.core.tools import ToolOutput


async def act_all(actor: Actor, calls: Sequence[ToolCall]) -> list[ToolOutput]:
    """Run `calls`; return their outputs in the order asked.

    Once a call gives the run's answer, the calls after it are not run.
    """
    outputs: list[ToolOutput] = []
    for group in _groups(actor, calls):
        outputs += await _run_group(actor, group)
        if any(output.answer is not None for output in outputs):
            break
    return outputs


async def _run_group(actor: Actor, group: Sequence[ToolCall]) -> list[ToolOutput]:
    """Run calls together; the first failure ends them all and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(actor.act(call)) for call in group]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from failures
    return [task.result() for task in running]


def _groups(actor: Actor, calls: Sequence[ToolCall]) -> Iterator[list[ToolCall]]:
    """Yield neighbours that only read as one group, every other call alone."""
    for reads, group in groupby(calls, key=lambda call: _only_reads(actor, call)):
        if reads:
            yield list(group)
        else:
            yield from ([call] for call in group)


def _only_reads(actor: Actor, call: ToolCall) -> bool:
    tool = actor.tools.get(unwrapped(call, actor.tools).name)
    return tool is not None and tool.spec.effect is Effect.READ and not tool.spec.control
