"""The two ways of working: the free loop for models that can, recipes for the embedded one."""

from dataclasses import dataclass
from typing import Final

from hackamore.agent.act import Actor
from hackamore.agent.approvals import Approvals
from hackamore.agent.history import History
from hackamore.agent.loop import Loop
from hackamore.agent.run import Work
from hackamore.agent.think import Mind
from hackamore.compose.parts import Parts
from hackamore.compose.recipes import recipe_for
from hackamore.core.events import Emit, Event, RunResult
from hackamore.core.generator import TextGenerator
from hackamore.core.json import JSONObject
from hackamore.core.messages import user
from hackamore.core.model import Model
from hackamore.core.tools import ToolOutput
from hackamore.formats.registry import get_format

_REPLACEMENTS: Final = ("native", "xml", "hermes")


def free_work(
    parts: Parts, model: Model, history: History, approvals: Approvals, words: str
) -> Work:
    """Return work in the loop on `words`, going on from `history`."""

    async def work(emit: Emit) -> RunResult:
        parts.servers.answer_with(model)
        try:
            await parts.servers.begin(emit)
            loop = await _loop(parts, model, history, approvals, emit)
            return await loop.run(user(words))
        finally:
            parts.servers.end()

    return work


async def _loop(
    parts: Parts, model: Model, history: History, approvals: Approvals, emit: Emit
) -> Loop:
    outfit = await parts.outfit()
    mind = Mind(
        model=model,
        format=get_format(model.profile.tool_format, parts.xml_mcp),
        formats={name: get_format(name, parts.xml_mcp) for name in _REPLACEMENTS},
        tools=[tool.spec for tool in outfit.offered.values()],
        prompt=outfit.prompt,
        limits=parts.limits,
        clock=parts.clock,
        emit=emit,
    )
    actor = _actor(parts, approvals, emit)
    return Loop(mind, actor, history, parts.limits, emit, parts.outfit)


def recipe_work(
    parts: Parts, generator: TextGenerator, approvals: Approvals, task: str | None, words: str
) -> Work:
    """Return work by the recipe for `task`, or for what `words` seem to want (None)."""

    async def work(emit: Emit) -> RunResult:
        recipe = recipe_for(task, words)
        hands = _Hands(_actor(parts, approvals, emit), emit)
        return await recipe(hands, generator, parts.ground.project, words, parts.clock)

    return work


@dataclass(frozen=True, slots=True)
class _Hands:
    """The recipes' `Hands`: every call goes through the actor."""

    actor: Actor
    tell: Emit

    async def call(self, tool: str, arguments: JSONObject) -> ToolOutput:
        return await self.actor.call(tool, arguments)

    def emit(self, event: Event) -> None:
        self.tell(event)


def _actor(parts: Parts, approvals: Approvals, emit: Emit) -> Actor:
    tools = {tool.spec.name: tool for tool in parts.ground.tools}
    return Actor(
        tools,
        parts.policy,
        approvals,
        parts.host,
        emit,
        parts.clock,
        root=str(parts.options.workspace),
        checkpoints=parts.checkpoints,
    )
