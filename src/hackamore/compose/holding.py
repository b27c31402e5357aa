"""What holds: every setting with its value and its source."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from hackamore.compose.environment import read_environment
from hackamore.compose.ground import rules_of
from hackamore.compose.settings import read_config
from hackamore.core.config import ApproveConfig, Config
from hackamore.core.json import JSON

Row: TypeAlias = tuple[str, JSON, str]
"""A key, its value, and where it comes from."""

_DEFAULT = "default"


def what_holds(workspace: Path) -> list[Row]:
    """Return all settings for a workspace.

    Raises:
        ConfigError: A file is wrong.
    """
    environment = read_environment(workspace)
    config = read_config(environment, workspace)
    sources = config.sources
    return [
        (key, value, sources.get(key.split(" ")[0], _DEFAULT)) for key, value in _values(config)
    ]


def _values(config: Config) -> Iterator[tuple[str, JSON]]:
    yield "model", config.model
    yield "base_url", config.base_url
    yield "tool_format", config.tool_format
    yield "language", config.language
    for name, model in config.models.items():
        yield f"models.{name}.tool_format", model.tool_format
        yield f"models.{name}.prompt", model.prompt
        yield f"models.{name}.context", model.context
    yield from _approve(config.approve, "")
    if config.project_approve:
        yield from _approve(config.project_approve, " (project)")
    rules = rules_of(config)
    yield "sandbox.level", config.sandbox.level
    yield "sandbox.read", config.sandbox.read
    yield "sandbox.write", config.sandbox.write
    yield "sandbox.hidden", rules.hidden
    yield "sandbox.readonly", rules.readonly
    yield "sandbox.ask", rules.ask
    yield "sandbox.network_hosts", config.sandbox.network_hosts
    yield "mcp.startupWait", config.mcp.startup_wait
    yield "mcp.consent", config.mcp.consent
    yield "mcp.sampling", config.mcp.sampling
    yield "xml.mcp", config.mcp.xml
    for name, mode in config.modes.items():
        yield f"modes.{name}.tools", mode.tools
        yield f"modes.{name}.prompt", mode.prompt
        yield f"modes.{name}.model", mode.model


def _approve(approve: ApproveConfig, whose: str) -> Iterator[tuple[str, JSON]]:
    for effect, answer in approve.answers.items():
        yield f"approve.{effect.value}{whose}", answer
    yield f"approve.commands.allow{whose}", approve.allow_commands
    yield f"approve.commands.ask{whose}", approve.ask_commands
    yield f"approve.commands.deny{whose}", approve.deny_commands
    yield f"approve.paths.ask{whose}", approve.ask_paths
    yield f"approve.paths.deny{whose}", approve.deny_paths
