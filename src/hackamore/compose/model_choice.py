"""Which model thinks: what was asked for, else the best that is at hand, and why."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from hackamore.core.errors import ModelAuth

EMBEDDED: Final = "qwen2.5-coder-1.5b"
_LOCAL: Final = "local"
BY_KEY: Final = (
    ("ANTHROPIC_API_KEY", "anthropic:claude-sonnet-4-5"),
    ("OPENAI_API_KEY", "openai:gpt-5.1"),
    ("GOOGLE_API_KEY", "google_genai:gemini-2.5-pro"),
    ("GEMINI_API_KEY", "google_genai:gemini-2.5-pro"),
)


class Found(Protocol):
    """A model server that answers on this machine."""

    @property
    def kind(self) -> str:
        """For example ``ollama``."""
        ...

    @property
    def base_url(self) -> str:
        """Where it listens."""
        ...

    @property
    def models(self) -> Sequence[str]:
        """What it serves."""
        ...


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model and why it was taken.

    Attributes:
        provider: LangChain's name of the provider, or ``local`` for the embedded model.
        model: The model's name there.
        base_url: Where to ask, or None for the provider's own address.
        why: For people.
    """

    provider: str
    model: str
    base_url: str | None
    why: str

    @property
    def name(self) -> str:
        """``provider:model``."""
        return f"{self.provider}:{self.model}"

    @property
    def embedded(self) -> bool:
        """Whether it runs inside Hackamore."""
        return self.provider == _LOCAL


def named(name: str, base_url: str | None, why: str) -> ModelChoice:
    """Return the choice that ``provider:model`` names.

    Raises:
        ModelAuth: The name has no provider.
    """
    provider, _, model = name.partition(":")
    if not provider or not model:
        raise ModelAuth(
            f"The model {name!r} has no provider.",
            hint=f"Write provider:model, such as openai:gpt-5.1, ollama:qwen3 or local:{EMBEDDED}.",
        )
    return ModelChoice(provider, model, base_url, why)


def by_key(names: Sequence[str], from_project: Collection[str] = ()) -> ModelChoice | None:
    """Return the choice that a key among the environment's `names` allows, or None.

    `from_project` are those that the project's ``.env`` gave; the person is told.
    """
    for key, model in BY_KEY:
        if key in names:
            where = " in this project's .env" if key in from_project else ""
            return named(model, None, f"{key} is set{where}")
    return None


def by_server(servers: Sequence[Found]) -> ModelChoice | None:
    """Return the choice that a running model server allows, or None."""
    for server in servers:
        if server.models:
            provider = "ollama" if server.kind == "ollama" else "openai"
            why = f"{server.kind} answers at {server.base_url}"
            return ModelChoice(provider, server.models[0], server.base_url, why)
    return None


def embedded() -> ModelChoice:
    """Return the model that needs no key and no server."""
    return ModelChoice(_LOCAL, EMBEDDED, None, "no key and no model server was found")
