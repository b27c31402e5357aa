"""Getting a model ready: chosen, found or fetched, loaded, with its profile."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from hackamore.compose.embedded import Fetching, open_embedded
from hackamore.compose.environment import Environment
from hackamore.compose.model_choice import ModelChoice, by_key, by_server, embedded, named
from hackamore.compose.options import Options
from hackamore.compose.settings import mode_of
from hackamore.core.config import Config, ModelConfig
from hackamore.core.errors import UsageError
from hackamore.core.generator import TextGenerator
from hackamore.core.model import Model, ModelProfile
from hackamore.local.servers import find_servers

_KEYS: Final = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google_genai": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}
_SAY_WHY_THEY_END: Final = frozenset({"openai", "anthropic"})


@dataclass(frozen=True, slots=True)
class ChatThinker:
    """A chat model that works in the free loop."""

    choice: ModelChoice
    model: Model


@dataclass(frozen=True, slots=True)
class EmbeddedThinker:
    """The model inside Hackamore, which works by recipes."""

    choice: ModelChoice
    generator: TextGenerator


Thinker: TypeAlias = ChatThinker | EmbeddedThinker


async def choose_model(options: Options, config: Config, environment: Environment) -> ModelChoice:
    """Return the model to think with: asked for, configured, or the best at hand.

    The order: ``--model``, ``HACKAMORE_MODEL``, the mode's and the configured model, a key in the
    environment, a model server on this machine, the embedded model.

    Raises:
        ModelAuth: A name has no provider.
        UsageError: There is no such mode, or an address without a model.
    """
    base_url = options.base_url or environment.get("HACKAMORE_BASE_URL") or config.base_url
    asked = (
        (options.model, "it was asked for with --model"),
        (environment.get("HACKAMORE_MODEL"), "HACKAMORE_MODEL names it"),
        (mode_of(config, options.mode).model, f"the mode {options.mode} names it"),
        (config.model, f"it is configured in {config.sources.get('model', 'config.toml')}"),
    )
    for name, why in asked:
        if name:
            return named(name, base_url, why)
    if base_url:
        raise UsageError(
            f"There is an address ({base_url}), but no model to ask there.",
            hint="Name one with --model, such as --model openai:NAME.",
        )
    keys = [name for name in environment.variables if environment.get(name)]
    chosen = by_key(keys, environment.from_project)
    return chosen or by_server(await find_servers()) or embedded()


def profile_of(choice: ModelChoice, options: Options, config: Config) -> ModelProfile:
    """Return what is known of a model, with what the person configured on top."""
    said = config.models.get(choice.name, ModelConfig())
    tool_format = options.tool_format or said.tool_format or config.tool_format
    return ModelProfile(
        name=choice.name,
        tool_format=tool_format or ("xml" if choice.embedded else "auto"),
        prompt=said.prompt or ("small" if choice.embedded else "full"),
        context=said.context,
        sampling=said.sampling,
    )


@asynccontextmanager
async def open_thinker(
    choice: ModelChoice, profile: ModelProfile, environment: Environment, fetching: Fetching
) -> AsyncGenerator[Thinker, None]:
    """Load a model and, at the end, let it go.

    Raises:
        ModelAuth: A key, a package or the model itself is missing.
    """
    if choice.embedded:
        async with open_embedded(choice.model, environment, fetching) as generator:
            yield EmbeddedThinker(choice, generator)
    else:
        model = await asyncio.to_thread(_load, choice, profile, environment)
        yield ChatThinker(choice, model)


def _load(choice: ModelChoice, profile: ModelProfile, environment: Environment) -> Model:
    """Import LangChain and build the model: a second or two of CPU, so not on the event loop."""
    from hackamore.langchain.model import LangChainModel
    from hackamore.langchain.providers import load_model

    model = load_model(
        choice.provider,
        choice.model,
        base_url=choice.base_url or environment.get(f"{choice.provider.upper()}_BASE_URL"),
        has_key=any(environment.get(key) for key in _KEYS.get(choice.provider, ())),
        sampling=profile.sampling,
    )
    says_why = choice.provider in _SAY_WHY_THEY_END
    return LangChainModel(model, profile, says_why_it_ends=says_why)
