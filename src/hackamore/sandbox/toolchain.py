"""Which folders hold the programs of ``PATH``: bound read-only, as narrow as works.

A folder of programs rarely stands alone: an interpreter needs the ``lib`` beside its ``bin``, and
an entry in ``~/.local/bin`` is often a link into an installation elsewhere. Homes are never bound
whole: credentials lie there.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

SYSTEM_FOLDERS: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_WHOLE_MANAGERS: Final = (".pyenv", ".rbenv", ".nodenv", ".asdf", ".volta", ".sdkman")
_COMPANIONS: Final = {".cargo": ".rustup"}
_NEVER: Final = frozenset(("/", "/home", "/root", "/etc", "/var", "/run", "/tmp", "/proc", "/sys"))  # noqa: S108
_MAX_LINKS: Final = 400


def toolchain_folders(
    search_path: Iterable[str], *, home: Path, more: Iterable[Path]
) -> list[Path]:
    """Return the folders to bind so that the programs of `search_path` run.

    Args:
        search_path: Folders of programs.
        home: The person's home, which is never bound whole.
        more: Programs or installations needed besides, such as this interpreter's.
    """
    wanted: set[Path] = set()
    for folder in (Path(text) for text in search_path if text.startswith("/")):
        if folder.is_dir():
            wanted |= set(_needed_by(folder, home))
    for path in more:
        wanted.add(installation(path, home))
    return _outermost(path for path in wanted if _allowed(path, home))


def installation(path: Path, home: Path) -> Path:
    """Return the smallest folder that holds a program's folder and what belongs to it."""
    if path.is_relative_to(home):
        first = path.relative_to(home).parts[:1]
        if first and first[0] in _WHOLE_MANAGERS:
            return home / first[0]
    above = path.parent
    belongs = path.name in ("bin", "sbin", "libexec") and (above / "lib").is_dir()
    if belongs and above not in (home, home / ".local") and str(above) not in _NEVER:
        return above
    return path


def _needed_by(folder: Path, home: Path) -> Iterator[Path]:
    yield installation(folder, home)
    yield installation(folder.resolve(), home)
    companion = _COMPANIONS.get(folder.parent.name)
    if companion is not None:
        yield folder.parent.parent / companion / "toolchains"
        yield folder.parent.parent / companion / "settings.toml"
    if not _is_system(folder):
        for target in _link_targets(folder):
            yield installation(target.parent, home)


def _link_targets(folder: Path) -> list[Path]:
    """Return where the links of a folder lead, outside of it."""
    try:
        links = [entry for entry in sorted(folder.iterdir())[:_MAX_LINKS] if entry.is_symlink()]
    except OSError:
        return []
    targets = (link.resolve() for link in links)
    return [target for target in targets if target.exists() and target.parent != folder]


def _allowed(path: Path, home: Path) -> bool:
    return (
        path.exists()
        and not _is_system(path)
        and path != home
        and not home.is_relative_to(path)
        and str(path) not in _NEVER
    )


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in SYSTEM_FOLDERS)


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Drop what lies inside another one; parents first."""
    kept: list[Path] = []
    for path in sorted(paths):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept
