"""The checkpoints of a workspace: where they are, and the port that a run keeps them by."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hackamore.compose.environment import Environment, read_environment
from hackamore.compose.ground import rules_of
from hackamore.compose.settings import read_config
from hackamore.core.config import Config
from hackamore.core.protected import SandboxRules
from hackamore.store.checkpoints.store import CheckpointStore, Step, store_of


@dataclass(frozen=True, slots=True)
class RunCheckpoints:
    """The checkpoints that one run takes.

    Attributes:
        store: Where they are kept.
        session_id: The conversation.
        request_id: The run.
    """

    store: CheckpointStore
    session_id: str
    request_id: str

    def before(self, call_id: str, title: str, paths: Sequence[str]) -> str:
        """Keep the workspace as it is before a call; return the checkpoint's id.

        Raises:
            OSError: It cannot be kept.
        """
        return self.store.take(Step(title, self.session_id, self.request_id, call_id), paths).id


def checkpoints_of(workspace: Path, config: Config, environment: Environment) -> CheckpointStore:
    """Return the store of a workspace, with the rules that hold for it."""
    return store_of(environment.state, workspace, rules_of(config))


def folder_with_checkpoints(here: Path) -> Path:
    """Return the nearest of a folder and those above it that has checkpoints; else the folder."""
    state = read_environment(here).state
    for folder in (here, *here.parents):
        if store_of(state, folder, SandboxRules()).exists():
            return folder
    return here


def open_checkpoints(workspace: Path) -> CheckpointStore:
    """Return the store of a workspace by what is configured for it.

    Raises:
        ConfigError: A configuration file is wrong.
    """
    environment = read_environment(workspace)
    return checkpoints_of(workspace, read_config(environment, workspace), environment)
