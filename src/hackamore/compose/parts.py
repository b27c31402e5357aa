"""What a session is made of."""

from dataclasses import dataclass, replace

from hackamore.agent.act import action_of
from hackamore.agent.limits import Limits
from hackamore.agent.outfit import Outfit
from hackamore.agent.prompt import PromptFacts, build_prompt
from hackamore.compose.ground import Ground
from hackamore.compose.mcp_session import SessionServers
from hackamore.compose.options import Options
from hackamore.compose.thinker import Thinker
from hackamore.core.checkpoints import Checkpoints
from hackamore.core.clock import Clock
from hackamore.core.host import Host
from hackamore.core.policy import Policy
from hackamore.formats.xml_prompt import McpStyle


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that a run needs and that outlives it.

    Attributes:
        options: What was asked for.
        thinker: The model.
        ground: The workspace and its tools.
        policy: The law.
        servers: The MCP servers, if there are any.
        prompt: What the system prompt is made of, without the servers.
        host: The person.
        limits: What bounds a run.
        clock: Time.
        xml_mcp: How the XML format calls the tools of MCP servers.
        checkpoints: What keeps the workspace before each changing step.
    """

    options: Options
    thinker: Thinker
    ground: Ground
    policy: Policy
    servers: SessionServers
    prompt: PromptFacts
    host: Host
    limits: Limits
    clock: Clock
    xml_mcp: McpStyle = "wrapped"
    checkpoints: Checkpoints | None = None

    async def outfit(self) -> Outfit:
        """Return what the next step works with: all tools of which some call could be allowed."""
        tools = {tool.spec.name: tool for tool in [*self.ground.tools, *await self.servers.tools()]}
        offered = {
            name: tool
            for name, tool in tools.items()
            if tool.spec.offered and self.policy.offers(action_of(tool.spec))
        }
        prompt = build_prompt(replace(self.prompt, servers=self.servers.instructions))
        return Outfit(offered, tools, prompt)
