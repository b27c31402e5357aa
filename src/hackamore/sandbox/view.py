"""Finding out what is to be seen inside: looks at this machine and builds a `View`."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hackamore.sandbox.argv import ETC, View
from hackamore.sandbox.environment import PRIVATE_HOME, command_environment
from hackamore.sandbox.protected_paths import find_covers
from hackamore.sandbox.settings import SandboxSettings
from hackamore.sandbox.toolchain import SYSTEM_FOLDERS, toolchain_folders
from hackamore.sandbox.toolchain_homes import home_variables, shown_in_home

PACKAGE_PARENT: Final = "/run/hackamore"
"""Where the worker finds the package inside."""


def build_view(settings: SandboxSettings, git_ignore: Path | None = None) -> View:
    """Return what a sandbox with these settings shows.

    `git_ignore` is a file with patterns of what git overlooks inside; it may be missing.
    """
    root, home = Path(settings.root).resolve(), Path(settings.home)
    needed = toolchain_folders(settings.search_path, home=home, more=_interpreters(root))
    return View(
        system=tuple(_system_folders()),
        etc=tuple(str(path) for name in ETC if (path := Path("/etc") / name).exists()),
        read=_outside(root, [*needed, *map(Path, settings.read)]),
        write=_outside(root, map(Path, settings.write)),
        root=str(root),
        covers=find_covers(str(root), settings.rules),
        kept=_running_installation(root),
        package=(str(package_folder()), f"{PACKAGE_PARENT}/hackamore"),
        temporary=settings.limits.temporary,
        environment=command_environment(
            settings.search_path, home=PRIVATE_HOME, language=settings.language
        )
        | home_variables(home),
        private=_inside((root, *map(Path, settings.write)), settings),
        in_home=tuple(shown_in_home(home)),
        git_ignore=str(git_ignore) if git_ignore and git_ignore.exists() else None,
    )


def package_folder() -> Path:
    """Return the folder of this package's code."""
    return Path(__file__).resolve().parents[1]


def _system_folders() -> Iterable[tuple[str, str | None]]:
    for text in SYSTEM_FOLDERS:
        path = Path(text)
        if path.is_symlink():
            yield text, str(path.readlink())
        elif path.is_dir():
            yield text, None


def _interpreters(root: Path) -> list[Path]:
    """Return where this interpreter and the project's lie, links followed."""
    programs = [Path(sys.executable).resolve()]
    for name in (".venv", "venv"):
        program = root / name / "bin" / "python"
        if program.exists():
            programs.append(program.resolve())
    folders = [program.parent for program in programs]
    return [*folders, Path(sys.prefix), Path(sys.base_prefix)]


def _running_installation(root: Path) -> tuple[str, ...]:
    """Return this process's own environment where it lies in the workspace.

    It runs outside the sandbox, so nothing inside may change it.
    """
    prefix = Path(sys.prefix).resolve()
    inside = prefix != root and prefix.is_relative_to(root)
    return (str(prefix),) if inside and sys.prefix != sys.base_prefix else ()


def _inside(shown: Iterable[Path], settings: SandboxSettings) -> tuple[str, ...]:
    """Return our own folders that lie in what is shown; a command could rewrite what we believe."""
    private = [Path(text).resolve() for text in (settings.state, *settings.private)]
    roots = [path.resolve() for path in shown]
    return tuple(
        str(path)
        for path in private
        if path.is_dir() and any(path != root and path.is_relative_to(root) for root in roots)
    )


def _outside(root: Path, paths: Iterable[Path]) -> tuple[str, ...]:
    """Leave out what the workspace shows already, and what is not there."""
    return tuple(
        str(path) for path in paths if path.exists() and not path.resolve().is_relative_to(root)
    )
