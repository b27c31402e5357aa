"""What a caller asks for, as flags give it; None means: as configured."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hackamore.agent.approvals import Standing


@dataclass(frozen=True, slots=True)
class Options:
    """One run's options.

    Attributes:
        workspace: The project's root.
        model: ``provider:model``.
        base_url: Where an OpenAI-compatible server listens.
        tool_format: ``auto``, ``native`` or ``xml``.
        mode: ``plan``, ``act`` or one from the configuration.
        approve: The person's standing word.
        sandbox: The least level that will do.
        max_steps: Requests to the model at most.
        yes: Fetch a model without asking.
        mcp: Files of MCP servers, besides those that are found.
        open_page: Shows the person a page, such as a login; None where nobody is there.
    """

    workspace: Path
    model: str | None = None
    base_url: str | None = None
    tool_format: str | None = None
    mode: str = "act"
    approve: Standing = "ask"
    sandbox: Literal["full", "landlock", "none"] | None = None
    max_steps: int = 50
    yes: bool = False
    mcp: tuple[Path, ...] = ()
    open_page: Callable[[str], object] | None = None
