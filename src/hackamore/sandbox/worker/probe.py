"""The self-test from inside: what can this process do that it should not?"""

import contextlib
import os
import socket
from dataclasses import dataclass
from typing import Final

from hackamore.core.json import JSONObject

_PORT: Final = 53
_ADDRESS: Final = "192.0.2.1"  # RFC 5737: belongs to nobody


@dataclass(frozen=True, slots=True)
class Bait:
    """What the host laid out for the test.

    Attributes:
        canary: A file outside the workspace that the host can read.
        home: The person's home folder.
        home_identity: Its device and inode as the host sees them.
    """

    canary: str
    home: str
    home_identity: str


def probe(bait: Bait) -> JSONObject:
    """Try what must fail, and say how it went."""
    status = _process_status()
    return {
        "canary_read": _can_read(bait.canary),
        "home_seen": _identity(bait.home) == bait.home_identity,
        "outside_written": [folder for folder in ("/", "/usr", "/etc") if _can_write(folder)],
        "network": _has_network(),
        "capabilities": status.get("CapEff", "").strip("0") != "",
        "seccomp": status.get("Seccomp") == "2",
        "no_new_privileges": status.get("NoNewPrivs") == "1",
    }


def _process_status() -> dict[str, str]:
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123
        pairs = (line.partition(":") for line in file)
        return {name: value.strip() for name, _, value in pairs}


def _can_read(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


def _can_write(folder: str) -> bool:
    path = f"{folder.rstrip('/')}/.hackamore-self-test-{os.getpid()}"
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return False
    with contextlib.suppress(OSError):
        os.unlink(path)  # noqa: PTH108 - the worker does without pathlib
    return True


def _identity(path: str) -> str:
    try:
        status = os.stat(path)  # noqa: PTH116 - the worker does without pathlib
    except OSError:
        return ""
    return f"{status.st_dev}:{status.st_ino}"


def _has_network() -> bool:
    """Tell whether there is an interface but the loopback, or a route to anywhere."""
    with contextlib.suppress(OSError):
        if any(name != "lo" for _, name in socket.if_nameindex()):
            return True
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.connect((_ADDRESS, _PORT))
    except OSError:
        return False
    return True
