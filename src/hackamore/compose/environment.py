"""The process's surroundings, read once: variables, folders, keys from a project's ``.env``."""

import io
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs
from dotenv import dotenv_values

from hackamore.core.errors import UsageError

_KEY: Final = re.compile(r"^[A-Z0-9_]+_API_(KEY|TOKEN)$")
_IDLE_TIMEOUT: Final = 120.0
_LARGEST_DOTENV: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Environment:
    """What Hackamore takes from around it.

    Attributes:
        variables: The process's environment, with keys from the project's ``.env`` added.
        config: Folder of the user's ``config.toml``.
        state: Folder of what must last: sessions, approvals.
        cache: Folder of what can be fetched again: models.
        from_project: The keys that the project's ``.env`` gave.
    """

    variables: Mapping[str, str]
    config: Path
    state: Path
    cache: Path
    from_project: frozenset[str] = frozenset()

    def get(self, name: str) -> str | None:
        """Return a variable that is set and not empty."""
        return self.variables.get(name) or None

    @property
    def idle_timeout(self) -> float:
        """Seconds that a model's stream may be silent.

        Raises:
            UsageError: ``HACKAMORE_IDLE_TIMEOUT`` is not a number above zero.
        """
        asked = self.get("HACKAMORE_IDLE_TIMEOUT")
        if asked is None:
            return _IDLE_TIMEOUT
        try:
            seconds = float(asked)
        except ValueError:
            seconds = 0.0
        if not seconds > 0:
            raise UsageError(f"HACKAMORE_IDLE_TIMEOUT must be seconds above zero, not {asked!r}.")
        return seconds


def read_environment(workspace: Path) -> Environment:
    """Read the process's environment and the keys in the workspace's ``.env``.

    From ``.env`` only keys are taken: the file comes with the code one opens, and an address in
    it could send a key elsewhere. The keys are put into the process's environment, where the
    providers' SDKs look for them; what is set already stays.
    """
    added = _add_keys(workspace / ".env")
    variables = dict(os.environ)
    home = variables.get("HACKAMORE_HOME")
    if home:
        root = Path(home).expanduser().absolute()
        return Environment(variables, root / "config", root / "state", root / "cache", added)
    folders = platformdirs.PlatformDirs("hackamore", appauthor=False)
    return Environment(
        variables,
        folders.user_config_path,
        folders.user_state_path,
        folders.user_cache_path,
        added,
    )


def _add_keys(path: Path) -> frozenset[str]:
    """Add the keys of a ``.env`` to the process's environment; return the names of those added.

    The file is the project's: whatever is no ordinary, small file is not read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return frozenset()
    with os.fdopen(descriptor, encoding="utf-8", errors="replace") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return frozenset()
        found = dotenv_values(stream=io.StringIO(file.read(_LARGEST_DOTENV)), interpolate=False)
    added = {
        name: value
        for name, value in found.items()
        if value and _KEY.match(name) and not os.environ.get(name)
    }
    os.environ.update(added)
    return frozenset(added)
