"""The chat model that a program gives an agent: a LangChain model, or the name of one."""

from pathlib import Path

from langchain_core.language_models import BaseChatModel

from hackamore.compose.environment import read_environment
from hackamore.compose.model_choice import named
from hackamore.langchain.providers import load_model


def model_name(model: BaseChatModel | str) -> str:
    """Return what to call a model, in events and prompts."""
    if isinstance(model, str):
        return model
    own = getattr(model, "model_name", None) or getattr(model, "model", None)
    kind = type(model).__name__
    return f"{kind}:{own}" if own else kind


def chat_model(model: BaseChatModel | str) -> BaseChatModel:
    """Return a chat model; a name is looked up as on the command line.

    Raises:
        ModelAuth: The name has no provider, or its package or key is missing.
    """
    if not isinstance(model, str):
        return model
    environment = read_environment(Path.cwd())
    choice = named(model, environment.get("HACKAMORE_BASE_URL"), "the program names it")
    return load_model(
        choice.provider,
        choice.model,
        base_url=choice.base_url or environment.get(f"{choice.provider.upper()}_BASE_URL"),
        has_key=bool(environment.get(f"{choice.provider.upper()}_API_KEY")),
        sampling={},
    )
