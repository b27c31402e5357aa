"""`Agent`: the loop for Python programs, with any chat model and any mixture of tools."""

import platform
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias

from langchain_core.language_models import BaseChatModel

from hackamore.agent.act import Actor, action_of
from hackamore.agent.approvals import Approvals
from hackamore.agent.history import History
from hackamore.agent.limits import Limits
from hackamore.agent.loop import Loop
from hackamore.agent.outfit import Outfit
from hackamore.agent.prompt import PromptFacts, build_prompt
from hackamore.agent.run import Numbers, Run
from hackamore.agent.think import Mind
from hackamore.compose.agent_model import chat_model, model_name
from hackamore.compose.agent_tool import AgentTool
from hackamore.compose.agent_tools import Given, GivenTools, check_names
from hackamore.compose.clock import SystemClock
from hackamore.compose.environment import read_environment
from hackamore.compose.ground import Ground, open_ground
from hackamore.compose.options import Options
from hackamore.core.approval import ALLOW_ONCE, REJECT_ONCE, ApprovalRequest, Decision
from hackamore.core.config import Config
from hackamore.core.entered import Entered
from hackamore.core.errors import UsageError
from hackamore.core.events import Emit, RunResult, RunStarted
from hackamore.core.host import Nobody
from hackamore.core.ids import new_id
from hackamore.core.messages import Message, user
from hackamore.core.model import ModelProfile
from hackamore.core.policy import DEFAULT_ANSWERS, READ_ONLY_ANSWERS, Layer, Policy
from hackamore.core.project import ProjectContext
from hackamore.core.tools import Tool
from hackamore.formats.registry import get_format
from hackamore.langchain.model import LangChainModel

Approver: TypeAlias = Callable[[ApprovalRequest], Awaitable[Decision | bool]]
"""Answers in the person's place: a `Decision`, or just yes or no."""

_REPLACEMENTS: Final = ("native", "xml", "hermes")


class Agent(Entered):
    """An agent: run after run, with one history.

    The tools that a program hands over need no asking, unless there is an `approver`; then it is
    asked as a person would be. The built-in tools of a workspace run in the sandbox: reading is
    allowed, the rest is asked, and without an approver asking means no.

    Args:
        model: Any LangChain chat model, or ``provider:model``.
        tools: Core tools, LangChain tools, typed functions and `MCPServers`, mixed freely.
        workspace: A folder for the built-in tools; None goes without them.
        mode: ``act``, or ``plan`` in which nothing may change.
        policy: The law, in place of the default one.
        approver: Answers what the policy asks.
        tool_format: ``auto``, ``native``, ``xml``, ``react`` or ``hermes``.
        max_steps: Requests to the model at most, in one run.
        history: What was said before.
        instructions: Added to the system prompt.

    Raises:
        UsageError: A tool is none, two have one name, or there is no such format or mode.
    """

    def __init__(  # noqa: PLR0913  # the contract's own form
        self,
        model: BaseChatModel | str,
        *,
        tools: Sequence[Given] = (),
        workspace: str | Path | None = None,
        mode: str = "act",
        policy: Policy | None = None,
        approver: Approver | None = None,
        tool_format: str = "auto",
        max_steps: int = 50,
        history: Sequence[Message] = (),
        instructions: str | None = None,
    ) -> None:
        if mode not in ("act", "plan"):
            raise UsageError(f"There is no mode {mode!r}.", hint="Modes: act, plan.")
        self._format = get_format(tool_format)
        self._profile = ModelProfile(name=model_name(model), tool_format=tool_format)
        self._model = model
        self._given = GivenTools(tools)
        self._workspace = None if workspace is None else Path(workspace).resolve()
        self._mode = mode
        self._policy = policy or _policy(mode)
        self._host = _ApproverHost(approver)
        self._approvals = Approvals(beforehand=_HandedOver(self._given, approver))
        self._limits = Limits(max_steps)
        self._history = History(history)
        self._instructions = instructions or ""
        self._clock = SystemClock()
        self._numbers = Numbers()
        self._session_id = new_id("session")
        self._ground: Ground | None = None
        self._opened = AsyncExitStack()

    def run(self, prompt: str, *, history: Sequence[Message] | None = None) -> Run:
        """Return a run of the agent on `prompt`; iterate over it for its events.

        The last event is `RunEnded`. Leaving the iteration cancels the run.

        Args:
            prompt: What to do.
            history: What was said before, in place of the agent's own history.
        """
        conversation = self._history if history is None else History(history)
        started = RunStarted(
            prompt,
            self._profile.name,
            self._mode,
            "none" if self._ground is None else self._ground.level,
            session_id=self._session_id,
        )

        async def work(emit: Emit) -> RunResult:
            await self._begin()
            return await self._loop(conversation, emit).run(user(prompt))

        return Run(
            started, work, request_id=new_id("run"), numbers=self._numbers, clock=self._clock
        )

    def as_tool(self, name: str, description: str) -> Tool:
        """Return the agent as a tool for another one: it is given a task and gives its answer."""
        return AgentTool(self.run, name, description)

    async def aclose(self) -> None:
        """Let the sandbox go. `MCPServers` that were given stay: they are their maker's."""
        self._ground = None
        await self._opened.aclose()

    async def _begin(self) -> None:
        if self._workspace is not None and self._ground is None:
            options = Options(self._workspace, mode=self._mode)
            environment = read_environment(self._workspace)
            ground = open_ground(options, Config(), environment)
            self._ground = await self._opened.enter_async_context(ground)
        await self._given.begin()

    def _loop(self, history: History, emit: Emit) -> Loop:
        outfit = self._outfit()
        mind = Mind(
            model=LangChainModel(chat_model(self._model), self._profile),
            format=self._format,
            formats={name: get_format(name) for name in _REPLACEMENTS},
            tools=[tool.spec for tool in outfit.offered.values()],
            prompt=outfit.prompt,
            limits=self._limits,
            clock=self._clock,
            emit=emit,
        )
        actor = Actor(
            outfit.callable,
            self._policy,
            self._approvals,
            self._host,
            emit,
            self._clock,
            root=str(self._workspace or ""),
        )
        return Loop(mind, actor, history, self._limits, emit, self._equip)

    async def _equip(self) -> Outfit:
        return self._outfit()

    def _outfit(self) -> Outfit:
        built_in = () if self._ground is None else self._ground.tools
        given = self._given.now()
        check_names((*built_in, *given))
        tools = {tool.spec.name: tool for tool in (*built_in, *given)}
        offered = {
            name: tool
            for name, tool in tools.items()
            if tool.spec.offered and self._policy.offers(action_of(tool.spec))
        }
        facts = PromptFacts(
            profile=self._profile,
            mode=self._mode,
            project=ProjectContext() if self._ground is None else self._ground.project,
            environment=self._surroundings(),
            instructions=self._instructions,
            servers=self._given.instructions,
        )
        return Outfit(offered, tools, build_prompt(facts))

    def _surroundings(self) -> Mapping[str, str]:
        known = {"Date": datetime.now().astimezone().date().isoformat()}
        if self._workspace is not None:
            known["System"] = f"{platform.system()} {platform.machine()}, bash in a sandbox"
            known["Workspace"] = f"{self._workspace.name}/ (paths are relative to it)"
        return known


class _ApproverHost(Nobody):
    """Asks the program's function; whatever else a person could be asked gets no answer."""

    def __init__(self, approver: Approver | None) -> None:
        self._approver = approver

    async def approve(self, request: ApprovalRequest) -> Decision:
        if self._approver is None:
            return await super().approve(request)
        answer = await self._approver(request)
        if isinstance(answer, Decision):
            return answer
        return ALLOW_ONCE if answer else REJECT_ONCE


class _HandedOver:
    """What a program hands over, it allows; unless it wants to be asked."""

    def __init__(self, given: GivenTools, approver: Approver | None) -> None:
        self._given = given
        self._asks = approver is not None

    def covers(self, request: ApprovalRequest) -> bool:
        """Return whether the call is of a tool that was handed over."""
        return not self._asks and any(one.spec.name == request.tool for one in self._given.now())

    def allowed(self, request: ApprovalRequest) -> None:
        """Nothing has to be remembered."""
        del request


def _policy(mode: str) -> Policy:
    layers = [Layer("the agent's own policy", DEFAULT_ANSWERS)]
    if mode == "plan":
        layers.append(Layer("plan mode", READ_ONLY_ANSWERS))
    return Policy(tuple(layers))
