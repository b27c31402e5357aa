"""Configuration as the rest of the code sees it: frozen, checked, and with its sources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hackamore.core.effects import Effect
from hackamore.core.policy import DEFAULT_ANSWERS, Answer


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """What a configuration says of one model; None leaves it to the model's own profile."""

    tool_format: str | None = None
    prompt: Literal["full", "small"] | None = None
    context: int | None = None
    sampling: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class ModeConfig:
    """A custom mode.

    Attributes:
        tools: The only tools it may use, or None for all.
        prompt: Added to the system prompt.
        model: ``provider:model`` to use instead, or None.
    """

    tools: tuple[str, ...] | None = None
    prompt: str = ""
    model: str | None = None


@dataclass(frozen=True, slots=True)
class ApproveConfig:
    """What is allowed, asked or denied.

    Attributes:
        answers: By effect.
        deny_paths: Patterns of paths that nothing touches.
        ask_paths: Patterns of paths whose writing is always asked.
        allow_commands: Commands that run unasked, such as ``git status``.
        ask_commands: Commands that are always asked.
        deny_commands: Commands that never run.
    """

    answers: Mapping[Effect, Answer] = field(default_factory=lambda: dict(DEFAULT_ANSWERS))
    deny_paths: tuple[str, ...] = ()
    ask_paths: tuple[str, ...] = ()
    allow_commands: tuple[str, ...] = ()
    ask_commands: tuple[str, ...] = ()
    deny_commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SandboxConfig:
    """How tools are confined.

    Attributes:
        level: The least level that will do.
        read: Further folders that commands may read.
        write: Further folders that commands may write.
        hidden: Added to the patterns of files that nobody sees.
        readonly: Added to the patterns of files that nobody changes.
        ask: Added to the patterns of files whose change is asked.
        network_hosts: The only hosts that pages are fetched from; () is every public one.
    """

    level: Literal["full", "landlock", "none"] = "full"
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    readonly: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    network_hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class McpConfig:
    """What holds for all MCP servers.

    Attributes:
        startup_wait: Seconds that the first model request of a run waits for a server which does
            not say it itself; None is the default (3 s).
        consent: Whether the person is asked about servers that came with the project, or they
            are refused.
        sampling: Whether servers may ask the run's model, after the person was asked each time.
        xml: How the XML format calls the tools of servers.
    """

    startup_wait: float | None = None
    consent: Literal["ask", "refuse"] = "ask"
    sampling: Literal["off", "ask"] = "off"
    xml: Literal["wrapped", "direct"] = "wrapped"


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be configured.

    Attributes:
        sources: For each key that was set, such as ``approve.run``: the file and line, or the
            flag or variable, that set it.
    """

    model: str | None = None
    base_url: str | None = None
    tool_format: str | None = None
    language: str | None = None
    models: Mapping[str, ModelConfig] = field(default_factory=dict[str, ModelConfig])
    approve: ApproveConfig = field(default_factory=ApproveConfig)
    sandbox: SandboxConfig = field(default_factory=SandboxConfig)
    modes: Mapping[str, ModeConfig] = field(default_factory=dict[str, ModeConfig])
    mcp: McpConfig = field(default_factory=McpConfig)
    project_approve: ApproveConfig | None = None
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
