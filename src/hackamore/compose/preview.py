"""The system prompt, put together without asking or loading any model."""

import json

from hackamore.agent.act import action_of
from hackamore.agent.prompt import PromptPart, build_prompt
from hackamore.compose.environment import read_environment
from hackamore.compose.ground import open_ground, rules_of
from hackamore.compose.options import Options
from hackamore.compose.session import prompt_facts
from hackamore.compose.settings import policy_of, read_config
from hackamore.compose.thinker import choose_model, profile_of
from hackamore.formats.registry import get_format


async def preview_prompt(options: Options) -> list[PromptPart]:
    """Return the parts that have text; tools that are offered natively stand as their schemas.

    Raises:
        HackamoreError: The sandbox or the configuration is wrong.
    """
    environment = read_environment(options.workspace)
    config = read_config(environment, options.workspace)
    policy = policy_of(config, options, rules_of(config))
    profile = profile_of(await choose_model(options, config, environment), options, config)
    tool_format = get_format(profile.tool_format)
    async with open_ground(options, config, environment) as ground:
        specs = [
            one.spec
            for one in ground.tools
            if one.spec.offered and policy.offers(action_of(one.spec))
        ]
        prompt = build_prompt(prompt_facts(options, config, profile, ground.project))
    parts = list(prompt.with_tools(tool_format.instructions(specs)).parts)
    if tool_format.native:
        schemas = [{"name": s.name, "description": s.description, **s.parameters} for s in specs]
        parts.append(PromptPart("tools, offered natively", json.dumps(schemas)))
    return [part for part in parts if part.text]
