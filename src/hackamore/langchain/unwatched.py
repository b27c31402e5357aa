"""Whether anybody watches a call, by LangChain's own reckoning.

Its bookkeeping costs several times what a call costs, so what nobody watches goes without.
"""

import uuid
from collections.abc import Generator
from contextlib import contextmanager
from typing import cast

from langchain_core.callbacks import AsyncCallbackManager
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import var_child_runnable_config
from langchain_core.tools import BaseTool


def inherited_if_unwatched(tool: BaseTool, config: RunnableConfig) -> RunnableConfig | None:
    """Return the configuration that runs within the call inherit; None when somebody watches.

    Handlers in `config`, the tool's own, tracing, debugging and registered hooks all count.
    """
    manager = AsyncCallbackManager.configure(
        config.get("callbacks"),
        tool.callbacks,
        tool.verbose,
        config.get("tags"),
        None,
        config.get("metadata"),
    )
    if manager.handlers:
        return None
    manager.parent_run_id = config.get("run_id") or uuid.uuid4()
    inherited = {**config, "callbacks": manager}
    inherited.pop("run_id", None)
    inherited.pop("run_name", None)
    return cast(RunnableConfig, inherited)


@contextmanager
def inheriting(config: RunnableConfig) -> Generator[None]:
    """Let what runs inside inherit `config`."""
    token = var_child_runnable_config.set(config)
    try:
        yield
    finally:
        var_child_runnable_config.reset(token)
