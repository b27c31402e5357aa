"""What toolchains keep in the home folder: where they find it inside, where the home is another.

Managers of toolchains are told by a variable where they lie. What was installed or downloaded
before is shown, read-only, where the tool looks for it in the private home; what lies beside it,
such as ``~/.cargo/credentials.toml`` and repositories whose addresses may hold tokens, is not.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hackamore.sandbox.environment import PRIVATE_HOME

_HOME_VARIABLES: Final[Mapping[str, str]] = {
    "PYENV_ROOT": ".pyenv",
    "RBENV_ROOT": ".rbenv",
    "NODENV_ROOT": ".nodenv",
    "ASDF_DATA_DIR": ".asdf",
    "VOLTA_HOME": ".volta",
    "SDKMAN_DIR": ".sdkman",
}
_SHOWN: Final = (
    *(".rustup/toolchains", ".rustup/settings.toml"),  # rustup writes beside these
    *(".cargo/registry/cache", ".cargo/registry/src"),
    *("go/pkg/mod/cache/download", ".m2/repository"),
)
_SHOWN_WITHOUT_GIT: Final = (".cargo/registry/index",)


def home_variables(home: Path) -> dict[str, str]:
    """Return the variables that tell managers of toolchains where they lie."""
    return {
        variable: str(home / name)
        for variable, name in _HOME_VARIABLES.items()
        if (home / name).is_dir()
    }


def shown_in_home(home: Path) -> Iterator[tuple[str, str]]:
    """Yield (source, target) of what is shown in the private home."""
    inner = (f"{name}/{folder}" for name in _SHOWN_WITHOUT_GIT for folder in _plain(home / name))
    for name in (*_SHOWN, *inner):
        if (home / name).exists() and _leads_to_packages(home / name, home):
            yield str(home / name), f"{PRIVATE_HOME}/{name}"


def _plain(folder: Path) -> list[str]:
    """Return the names of folders that are no repositories: the address of one may hold a token."""
    if not folder.is_dir():
        return []
    return [inner.name for inner in sorted(folder.iterdir()) if not (inner / ".git").exists()]


def _leads_to_packages(path: Path, home: Path) -> bool:
    """Tell whether a path is where it says, or on another disk; not elsewhere in the home."""
    real, real_home = path.resolve(), home.resolve()
    return real == real_home / path.relative_to(home) or not (
        real.is_relative_to(real_home) or real_home.is_relative_to(real)
    )
