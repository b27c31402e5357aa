"""What a server is given of our environment: what programs need to run, and none of our secrets."""

from collections.abc import Mapping
from typing import Final

_INHERITED: Final = (
    "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
    "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ",
    "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
)  # fmt: skip


def server_environment(variables: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a server: a few of `variables`, and what its entry sets."""
    inherited = {name: variables[name] for name in _INHERITED if name in variables}
    return {**inherited, **own}
