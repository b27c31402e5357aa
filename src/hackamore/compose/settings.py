"""What holds for a run: the configuration's files, the flags, and the policy they make."""

from pathlib import Path
from typing import Final

from hackamore.compose.environment import Environment
from hackamore.compose.options import Options
from hackamore.config.load import Source, load
from hackamore.core.commands import CommandRules
from hackamore.core.config import ApproveConfig, Config, ModeConfig
from hackamore.core.errors import UsageError
from hackamore.core.policy import READ_ONLY_ANSWERS, Layer, Policy
from hackamore.core.protected import SandboxRules

PLAN: Final = "plan"
ACT: Final = "act"


def read_config(environment: Environment, workspace: Path) -> Config:
    """Return what the user's file and then the project's say.

    Raises:
        ConfigError: One of them is wrong.
    """
    return load(
        [
            Source(environment.config / "config.toml"),
            Source(workspace / ".hackamore" / "config.toml", project=True),
        ]
    )


def mode_of(config: Config, name: str) -> ModeConfig:
    """Return a mode by its name.

    Raises:
        UsageError: There is no such mode.
    """
    if name in (PLAN, ACT):
        return ModeConfig()
    if name not in config.modes:
        known = ", ".join((PLAN, ACT, *config.modes))
        raise UsageError(f"There is no mode {name!r}.", hint=f"Modes: {known}.")
    return config.modes[name]


def policy_of(config: Config, options: Options, lists: SandboxRules) -> Policy:
    """Return the law of a run: configuration, then the project, then the mode.

    Args:
        config: Where the rules stand.
        options: Names the mode.
        lists: What is hidden from commands, and which writing is always asked.
    """
    rules = config.approve
    hidden = lists.hidden
    layers = [
        Layer(
            "the configuration",
            rules.answers,
            ask_paths=lists.ask + rules.ask_paths,
            deny_paths=rules.deny_paths,
            commands=_commands(rules, hidden),
        )
    ]
    if project := config.project_approve:
        layers.append(
            Layer(
                "the project's configuration",
                project.answers,
                ask_paths=project.ask_paths,
                deny_paths=project.deny_paths,
                commands=_commands(project, hidden),
            )
        )
    mode = mode_of(config, options.mode)
    if options.mode == PLAN:
        layers.append(Layer("plan mode", READ_ONLY_ANSWERS))
    elif mode.tools is not None:
        layers.append(Layer(f"the mode {options.mode!r}", tools=frozenset(mode.tools)))
    return Policy(tuple(layers))


def _commands(rules: ApproveConfig, hidden: tuple[str, ...]) -> CommandRules:
    return CommandRules(rules.allow_commands, rules.ask_commands, rules.deny_commands, hidden)
