"""What toolchains keep in the home folder: where they find it inside, where the home is another.

Managers of toolchains are told by a variable where they lie. What was installed or downloaded
before is shown, read-only, where the tool looks for it in the private home; what lies beside it,
such as ``~/.cargo/credentials.toml``, is not shown.
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
    *(".cargo/registry", ".cargo/git", "go/pkg/mod", ".m2/repository"),
)


def home_variables(home: Path) -> dict[str, str]:
    """Return the variables that tell managers of toolchains where they lie."""
    return {
        variable: str(home / name)
        for variable, name in _HOME_VARIABLES.items()
        if (home / name).is_dir()
    }


def shown_in_home(home: Path) -> Iterator[tuple[str, str]]:
    """Yield (source, target) of what is shown in the private home."""
    for name in _SHOWN:
        if (home / name).exists():
            yield str(home / name), f"{PRIVATE_HOME}/{name}"
