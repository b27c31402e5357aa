"""What could think for Hackamore on this machine."""

from pathlib import Path
from typing import TypeAlias

from hackamore.compose.embedded import model_cache
from hackamore.compose.environment import read_environment
from hackamore.compose.model_choice import BY_KEY
from hackamore.local.catalogue import MODELS
from hackamore.local.install import installed
from hackamore.local.servers import find_servers

Row: TypeAlias = tuple[str, str, str]
"""A model, its state, and a few words about it."""


async def take_inventory() -> list[Row]:
    """Return the embedded models, those of running servers, and those that a key opens."""
    environment = read_environment(Path.cwd())
    cache = model_cache(environment)
    rows: list[Row] = []
    for name, model in MODELS.items():
        state = "installed" if installed(model, cache) else "not installed"
        rows.append((f"local:{name}", state, f"{model.size / 1e9:.1f} GB, {model.licence}"))
    for server in await find_servers():
        provider = "ollama" if server.kind == "ollama" else "openai"
        where = f"{server.kind} at {server.base_url}"
        rows += [(f"{provider}:{name}", "running", where) for name in server.models]
    for key, name in BY_KEY:
        rows.append((name, "key set" if environment.get(key) else "no key", key))
    return rows
