"""The self-test at start: the level of a sandbox is what it proved, not what was asked for."""

import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hackamore.core.errors import SandboxUnavailable
from hackamore.wire.frames import Frame


@dataclass(frozen=True, slots=True)
class Bait:
    """What the worker tries to reach and must not.

    Attributes:
        canary: A file outside the workspace; None when it would lie inside.
        home: The person's home folder.
        home_identity: Device and inode of it.
    """

    canary: str
    home: str
    home_identity: str

    def as_request(self) -> dict[str, str]:
        """Return the fields of the request ``probe``."""
        return {"canary": self.canary, "home": self.home, "home_identity": self.home_identity}


@contextmanager
def bait(root: str, home: str) -> Generator[Bait]:
    """Lay out a canary file in the temporary folder, and take it away again."""
    with tempfile.NamedTemporaryFile(prefix="hackamore-canary-") as file:
        inside = Path(file.name).resolve().is_relative_to(root)
        yield Bait("" if inside else file.name, home, _identity(root, home))


def _identity(root: str, home: str) -> str:
    """Return what the home folder looks like from outside; empty where it is the workspace."""
    try:
        status = Path(home).stat()
    except OSError:
        return "absent"
    if Path(home).resolve().is_relative_to(root):
        return "shown"
    return f"{status.st_dev}:{status.st_ino}"


def require_full(answer: Frame) -> None:
    """Check what a confined worker found out about itself.

    Raises:
        SandboxUnavailable: Something that must be impossible was possible.
    """
    found = answer.header.get("found")
    if not isinstance(found, Mapping):
        raise SandboxUnavailable("The sandbox does not answer its self-test.")
    open_doors = [words for name, (want, words) in _DOORS.items() if found.get(name) != want]
    if open_doors:
        raise SandboxUnavailable(
            f"The sandbox started but does not hold: {'; '.join(open_doors)}.",
            hint="Please report this with your system's name. "
            "To go on without any protection: --sandbox none.",
        )


_DOORS: dict[str, tuple[bool | list[str], str]] = {
    "canary_read": (False, "a file outside the workspace can be read"),
    "home_seen": (False, "the home folder can be seen"),
    "outside_written": ([], "a folder outside the workspace can be written"),
    "network": (False, "the network can be reached"),
    "capabilities": (False, "it has capabilities"),
    "no_new_privileges": (True, "programs can gain privileges"),
    "seccomp": (True, "system calls are not filtered"),
}
