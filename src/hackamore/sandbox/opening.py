"""Opening a sandbox for a workspace: the one function that everybody else calls."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hackamore.core.errors import UsageError
from hackamore.core.workspace import SandboxLevel
from hackamore.sandbox.commands import CommandSandbox
from hackamore.sandbox.files import SandboxedWorkspace
from hackamore.sandbox.settings import SandboxSettings
from hackamore.sandbox.worker_link import WorkerLink


@dataclass(frozen=True, slots=True)
class OpenSandbox:
    """A workspace and a place for commands, behind one worker."""

    workspace: SandboxedWorkspace
    commands: CommandSandbox
    link: WorkerLink

    @property
    def level(self) -> SandboxLevel:
        """What was proved at start."""
        return self.link.level

    @property
    def covers_complete(self) -> bool:
        """Whether all was looked at that is searched for hidden and read-only paths.

        When not, the workspace is too large or too slow, and commands may read or write some.
        """
        return self.link.covers_complete

    async def aclose(self) -> None:
        """End the worker with everything below it, and wait until it is gone."""
        await self.link.close()


async def open_sandbox(
    settings: SandboxSettings, level: Literal["full", "none"] = "full"
) -> OpenSandbox:
    """Start a worker for a workspace and prove its level.

    Args:
        settings: What the sandbox shows and allows.
        level: ``none`` runs the same worker without bubblewrap; only when the person says so.

    Raises:
        UsageError: The workspace is no folder.
        SandboxUnavailable: Why there is no sandbox, and what to do.
    """
    given, root = _roots(settings.root)
    link = WorkerLink(settings, root, level)
    try:
        await link.connection()
    except BaseException:
        await link.close()
        raise
    return OpenSandbox(SandboxedWorkspace(link, given), CommandSandbox(link), link)


def _roots(given: str) -> tuple[str, str]:
    """Return the workspace's path as it was given, made absolute, and its real path."""
    path = Path(given)
    if not path.is_dir():
        raise UsageError(f"The workspace {given} is not a folder.")
    return str(path.absolute()), str(path.resolve())
