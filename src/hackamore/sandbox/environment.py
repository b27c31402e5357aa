"""The environment of commands: made from nothing, so that no key can be left in it."""

from collections.abc import Mapping, Sequence
from typing import Final

PRIVATE_HOME: Final = "/home/sandbox"
"""Where the home folder of commands is, in memory."""

_SETTLED: Final[Mapping[str, str]] = {
    "TERM": "dumb",
    "CI": "true",  # programs neither ask nor draw
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "EDITOR": "true",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_INPUT": "1",
    "DEBIAN_FRONTEND": "noninteractive",
}


def command_environment(search_path: Sequence[str], *, home: str, language: str) -> dict[str, str]:
    """Return all variables that a command starts with."""
    return {
        **_SETTLED,
        "PATH": ":".join(search_path),
        "HOME": home,
        "LANG": language,
        "TMPDIR": "/tmp",  # noqa: S108 - private to the sandbox
        "USER": "sandbox",
        "LOGNAME": "sandbox",
        "SHELL": "/bin/sh",
    }
