"""Chat models by ``provider:model``, through LangChain's own `init_chat_model`."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any, Final, cast
from urllib.parse import urlsplit

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel

from hackamore.core.errors import ModelAuth

_EXTRAS: Final[Mapping[str, str]] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google_genai": "google",
    "ollama": "ollama",
}
_NEED_KEY: Final = frozenset({"openai", "anthropic"})
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_NO_KEY: Final = "no-key-needed"
_LOAD = cast(Callable[..., BaseChatModel], init_chat_model)


def load_model(
    provider: str, model: str, *, base_url: str | None, has_key: bool, sampling: Mapping[str, float]
) -> BaseChatModel:
    """Return LangChain's chat model.

    Args:
        provider: LangChain's name of the provider.
        model: The model's name there.
        base_url: Where to ask instead of the provider's own address.
        has_key: Whether the environment holds a key for the provider.
        sampling: Passed to the provider as it is.

    Raises:
        ModelAuth: The provider's package or key is missing, or there is no such provider.
    """
    if provider in _NEED_KEY and not has_key and not base_url:
        raise ModelAuth(f"There is no key for {provider}:{model}.", hint=_hint(provider))
    settings: dict[str, Any] = {**sampling, **_settings(provider, base_url, has_key)}
    try:
        if provider == "openai" and base_url:
            return _compatible(model, settings)
        return _LOAD(model, model_provider=provider, **settings)
    except ImportError as error:
        raise ModelAuth(
            f"The package for the provider {provider!r} is not installed.",
            hint=f"Install it: pip install '{_package(provider)}'.",
        ) from error
    except Exception as error:  # each SDK says in its own class that a key is missing
        words = str(error).strip().split("\n", 1)[0]
        raise ModelAuth(
            f"{provider}:{model} cannot be used: {words}",
            hint=_hint(provider),
        ) from error


def _hint(provider: str) -> str:
    known = f"{provider.upper()}_API_KEY" if provider in _EXTRAS else "its key"
    return f"Set {known} in the environment or in .env, or choose another --model."


def _compatible(model: str, settings: Mapping[str, Any]) -> BaseChatModel:
    """Return a model of a server that speaks OpenAI's protocol; its SDK loads only now."""
    module = importlib.import_module("hackamore.langchain.openai_compatible")
    return module.OpenAICompatible(model=model, **settings)


def _package(provider: str) -> str:
    extra = _EXTRAS.get(provider)
    return f"hackamore[{extra}]" if extra else f"langchain-{provider.replace('_', '-')}"


def _settings(provider: str, base_url: str | None, has_key: bool) -> dict[str, Any]:
    """Return what the provider is told; retries are the agent's business, where they are seen."""
    settings: dict[str, Any] = {}
    if base_url:
        settings["base_url"] = base_url
    if provider in ("openai", "anthropic"):
        settings["max_retries"] = 0
    if provider == "openai":
        settings["stream_usage"] = True
        # Ours is the agent's idle timeout. Theirs loses a cancel that meets a chunk (Python 3.11).
        settings["stream_chunk_timeout"] = None
        if base_url and not has_key and _is_loopback(base_url):
            settings["api_key"] = _NO_KEY
    return settings


def _is_loopback(base_url: str) -> bool:
    return urlsplit(base_url).hostname in _LOOPBACK
