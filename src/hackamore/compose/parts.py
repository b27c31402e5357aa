"""What a session is made of."""

from collections.abc import Mapping
from dataclasses import dataclass

from hackamore.agent.act import action_of
from hackamore.agent.limits import Limits
from hackamore.agent.prompt import Prompt
from hackamore.compose.ground import Ground
from hackamore.compose.options import Options
from hackamore.compose.thinker import Thinker
from hackamore.core.clock import Clock
from hackamore.core.host import Host
from hackamore.core.policy import Policy
from hackamore.core.tools import Tool


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that a run needs and that outlives it.

    Attributes:
        options: What was asked for.
        thinker: The model.
        ground: The workspace and its tools.
        policy: The law.
        prompt: The system prompt, without the tools.
        host: The person.
        limits: What bounds a run.
        clock: Time.
    """

    options: Options
    thinker: Thinker
    ground: Ground
    policy: Policy
    prompt: Prompt
    host: Host
    limits: Limits
    clock: Clock

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools of which the policy could allow some call, by name."""
        return {
            tool.spec.name: tool
            for tool in self.ground.tools
            if tool.spec.offered and self.policy.offers(action_of(tool.spec))
        }
