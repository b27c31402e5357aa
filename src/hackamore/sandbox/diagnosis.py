"""Why there is no sandbox, and what to do about it, in plain words."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hackamore.core.errors import SandboxUnavailable

_INSTALL: Final[Mapping[str, str]] = {
    "debian": "sudo apt install bubblewrap",
    "ubuntu": "sudo apt install bubblewrap",
    "fedora": "sudo dnf install bubblewrap",
    "rhel": "sudo dnf install bubblewrap",
    "centos": "sudo dnf install bubblewrap",
    "arch": "sudo pacman -S bubblewrap",
    "alpine": "sudo apk add bubblewrap",
    "suse": "sudo zypper install bubblewrap",
    "opensuse": "sudo zypper install bubblewrap",
}
_WITHOUT: Final = "To go on without any protection: --sandbox none."


def bubblewrap_missing(os_release: str | None = None) -> SandboxUnavailable:
    """Build the error for a machine without bubblewrap.

    `os_release` is the text of ``/etc/os-release``; None reads this machine's.
    """
    command = _install_command(_os_release() if os_release is None else os_release)
    return SandboxUnavailable(
        "There is no sandbox: the program bwrap (bubblewrap) is not installed.",
        hint=f"Install it: {command}. {_WITHOUT}",
    )


def start_failed(words: str) -> SandboxUnavailable:
    """Build the error for a sandbox that did not start; `words` is what it said."""
    if "RTM_NEWADDR" in words:
        return SandboxUnavailable(
            "The sandbox cannot start: AppArmor refuses user namespaces to bubblewrap "
            "(RTM_NEWADDR), as Ubuntu 24.04 and later do by default.",
            hint="Allow it with an AppArmor profile for /usr/bin/bwrap "
            "(https://ubuntu.com/blog/ubuntu-23-10-restricted-unprivileged-user-namespaces), or "
            f"sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0. {_WITHOUT}",
        )
    if re.search(r"namespace|uid map|Operation not permitted", words, re.IGNORECASE):
        return SandboxUnavailable(
            f"The sandbox cannot start: this system refuses user namespaces ({_last_line(words)}).",
            hint="Allow them: sudo sysctl -w user.max_user_namespaces=10000 "
            "kernel.unprivileged_userns_clone=1; in a container, run it with "
            f"--security-opt seccomp=unconfined. {_WITHOUT}",
        )
    return SandboxUnavailable(
        f"The sandbox did not start: {_last_line(words) or 'it ended without a word'}.",
        hint=_WITHOUT,
    )


def _last_line(words: str) -> str:
    lines = words.strip().splitlines()
    return lines[-1][:300].rstrip(".") if lines else ""


def _install_command(os_release: str) -> str:
    names = re.findall(r'^ID(?:_LIKE)?="?([^"\n]*)"?$', os_release, re.MULTILINE)
    for name in " ".join(names).split():
        if name in _INSTALL:
            return _INSTALL[name]
    return "the package bubblewrap of your system"


def _os_release() -> str:
    try:
        return Path("/etc/os-release").read_text("utf-8")
    except OSError:
        return ""
