"""What a run works with, found out anew before each step: servers come, go and change."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from hackamore.agent.prompt import Prompt
from hackamore.core.tools import Tool


@dataclass(frozen=True, slots=True)
class Outfit:
    """Tools and prompt of one step.

    Attributes:
        offered: The tools that the model is told of, by name.
        callable: Those, and the ones that only recipes use.
        prompt: The system prompt, without the tools.
    """

    offered: Mapping[str, Tool]
    callable: Mapping[str, Tool]
    prompt: Prompt


Outfitter: TypeAlias = Callable[[], Awaitable[Outfit]]
"""Finds out what the next step works with."""
