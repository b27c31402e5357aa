"""A session: one conversation about one workspace. `open_session` puts everything together."""

import platform
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

from hackamore.agent.approvals import Approvals
from hackamore.agent.history import History
from hackamore.agent.limits import Limits
from hackamore.agent.prompt import PromptFacts
from hackamore.agent.run import Numbers, Run, Work
from hackamore.agent.tasks import TASKS
from hackamore.compose.auto_approval import AutoApproval
from hackamore.compose.checkpoints import RunCheckpoints, checkpoints_of
from hackamore.compose.clock import SystemClock
from hackamore.compose.embedded import Fetching
from hackamore.compose.environment import Environment, read_environment
from hackamore.compose.ground import open_ground, rules_of
from hackamore.compose.mcp_session import open_servers
from hackamore.compose.mcp_state import approved_file
from hackamore.compose.options import Options
from hackamore.compose.parts import Parts
from hackamore.compose.recipes import ABILITIES
from hackamore.compose.settings import ACT, mode_of, policy_of, read_config
from hackamore.compose.thinker import (
    ChatThinker,
    EmbeddedThinker,
    choose_model,
    open_thinker,
    profile_of,
)
from hackamore.compose.work import free_work, recipe_work
from hackamore.core.config import Config
from hackamore.core.errors import NotAllowed
from hackamore.core.events import RunStarted
from hackamore.core.host import Host
from hackamore.core.ids import new_id
from hackamore.core.model import ModelProfile
from hackamore.core.policy import Action, Deny, Policy
from hackamore.core.project import ProjectContext
from hackamore.store.checkpoints.store import CheckpointStore


class Session:
    """One conversation: run after run, with one history."""

    def __init__(
        self, parts: Parts, environment: Environment, checkpoints: CheckpointStore
    ) -> None:
        self._parts = parts
        self._checkpoints = checkpoints
        self._id = new_id("session")
        self._history = History()
        self._approvals = Approvals(parts.options.approve, _beforehand(parts, environment))
        self._numbers = Numbers()

    def run(self, task: str | None, request: str) -> Run:
        """Return a run of a named task, or of free work (None), on `request`."""
        request_id = new_id("run")
        keeping = RunCheckpoints(self._checkpoints, self._id, request_id)
        parts = replace(self._parts, checkpoints=keeping)
        started = RunStarted(
            prompt=request if task is None else TASKS[task].words(request),
            model=parts.thinker.choice.name,
            mode=parts.options.mode,
            sandbox=parts.ground.level,
            note=_note(parts),
        )
        return Run(
            replace(started, session_id=self._id),
            self._work(parts, task, request, started.prompt),
            request_id=request_id,
            numbers=self._numbers,
            clock=parts.clock,
        )

    def _work(self, parts: Parts, task: str | None, request: str, prompt: str) -> Work:
        match parts.thinker:
            case EmbeddedThinker(generator=generator):
                return recipe_work(parts, generator, self._approvals, task, request)
            case ChatThinker(model=model):
                return free_work(parts, model, self._history, self._approvals, prompt)


@asynccontextmanager
async def open_session(
    options: Options, task: str | None, host: Host, fetching: Fetching
) -> AsyncGenerator[Session, None]:
    """Choose and load the model, start the sandbox, look at the project; clean up at the end.

    Args:
        options: What was asked for.
        task: The named task that the session is for; decides its mode.
        host: Whom to ask.
        fetching: Whom to ask for, and tell about, the download of a model.

    Raises:
        HackamoreError: Something of it cannot be had; says what to do.
    """
    environment = read_environment(options.workspace)
    config = read_config(environment, options.workspace)
    options = _in_mode(options, task)
    policy = policy_of(config, options, rules_of(config))
    _check_task(task, policy)
    choice = await choose_model(options, config, environment)
    profile = profile_of(choice, options, config)
    async with (
        open_servers(options, environment, host, config.mcp) as servers,
        open_ground(options, config, environment) as ground,
        open_thinker(choice, profile, environment, fetching) as thinker,
    ):
        yield Session(
            Parts(
                options=options,
                thinker=thinker,
                ground=ground,
                policy=policy,
                servers=servers,
                prompt=prompt_facts(options, config, profile, ground.project),
                host=host,
                limits=Limits(options.max_steps, environment.idle_timeout),
                xml_mcp=config.mcp.xml,
                clock=SystemClock(),
            ),
            environment,
            checkpoints_of(options.workspace, config, environment),
        )


def prompt_facts(
    options: Options, config: Config, profile: ModelProfile, project: ProjectContext
) -> PromptFacts:
    """Return what the system prompt is made of, without tools and servers."""
    return PromptFacts(
        profile=profile,
        mode=options.mode,
        project=project,
        environment={
            "System": f"{platform.system()} {platform.machine()}, bash in a sandbox without "
            "network",
            "Workspace": f"{options.workspace.name}/ (paths are relative to it)",
            "Date": datetime.now().astimezone().date().isoformat(),
        },
        instructions=mode_of(config, options.mode).prompt,
    )


def _beforehand(parts: Parts, environment: Environment) -> AutoApproval | None:
    """Return what the entries of MCP servers say need not be asked."""
    if not any(entry.auto_approve for entry in parts.servers.entries):
        return None
    return AutoApproval(approved_file(environment), parts.options.workspace, parts.servers.entries)


def _in_mode(options: Options, task: str | None) -> Options:
    """Return the options with the mode that the task is meant for, unless another was chosen."""
    if task is None or options.mode != ACT:
        return options
    return replace(options, mode=TASKS[task].mode)


def _check_task(task: str | None, policy: Policy) -> None:
    """Refuse a task that could not do its work under the policy."""
    for effect in TASKS[task].needs if task else ():
        verdict = policy.judge(Action("*", effect))
        if isinstance(verdict, Deny):
            raise NotAllowed(
                f"The task {task!r} is not allowed: {verdict.reason}.",
                hint="Choose --mode act, or change what the configuration denies.",
            )


def _note(parts: Parts) -> str:
    """Say why this model was taken, what it is good for, and what the sandbox could not see to."""
    notes = [f"Taken because {parts.thinker.choice.why}."]
    if isinstance(parts.thinker, EmbeddedThinker):
        notes.append(ABILITIES)
    if not parts.ground.covers_complete:
        notes.append(
            "This folder holds too much to look through: commands may see secrets deep inside it."
        )
    return " ".join(notes)
