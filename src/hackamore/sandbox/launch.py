"""Starting the worker's process: under bubblewrap, or bare when a person said so."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hackamore.sandbox.argv import View, bwrap_arguments
from hackamore.sandbox.diagnosis import bubblewrap_missing
from hackamore.sandbox.environment import command_environment
from hackamore.sandbox.protected_paths import Covers
from hackamore.sandbox.settings import SandboxSettings
from hackamore.sandbox.view import PACKAGE_PARENT, build_view, package_folder

_SYSTEM_PROGRAMS: Final = ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap")
_START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from hackamore.sandbox.worker.main import main; main()"
)


@dataclass(frozen=True, slots=True)
class Launch:
    """A process to start.

    Attributes:
        argv: Program and arguments.
        environment: All of its environment.
        confined: It runs under bubblewrap.
        covers: What lies over the workspace.
    """

    argv: Sequence[str]
    environment: Mapping[str, str]
    confined: bool
    covers: Covers = field(default_factory=Covers)


def confined_launch(settings: SandboxSettings, git_ignore: Path) -> Launch:
    """Return how to start the worker under bubblewrap.

    Bubblewrap itself gets no environment: its own can be read inside. `git_ignore` is as in
    `build_view`.

    Raises:
        SandboxUnavailable: There is no bubblewrap.
    """
    program = find_bubblewrap(settings)
    view: View = build_view(settings, git_ignore)
    argv = [program, *bwrap_arguments(view), *_worker(PACKAGE_PARENT)]
    return Launch(argv, {}, confined=True, covers=view.covers)


def bare_launch(settings: SandboxSettings) -> Launch:
    """Return how to start the worker with nothing around it."""
    environment = command_environment(
        settings.search_path, home=settings.home, language=settings.language
    )
    return Launch(_worker(str(package_folder().parent)), environment, confined=False)


def find_bubblewrap(
    settings: SandboxSettings, system_programs: Sequence[str] = _SYSTEM_PROGRAMS
) -> str:
    """Return the path of bubblewrap; never one that the workspace brought along.

    Raises:
        SandboxUnavailable: There is none.
    """
    root = Path(settings.root).resolve()
    others = [f"{folder}/bwrap" for folder in settings.search_path if folder.startswith("/")]
    for text in (*system_programs, *others):
        path = Path(text)
        if path.is_file() and not path.resolve().is_relative_to(root):
            return text
    raise bubblewrap_missing()


def _worker(package_parent: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-B", "-c", _START, package_parent]
