"""A sandbox that cannot be had says why and what to do."""

from pathlib import Path

import pytest

from hackamore.core.codes import Code
from hackamore.core.errors import SandboxUnavailable, UsageError
from hackamore.core.json import JSON
from hackamore.sandbox.connection import Connection
from hackamore.sandbox.diagnosis import bubblewrap_missing, start_failed
from hackamore.sandbox.launch import Launch, find_bubblewrap
from hackamore.sandbox.level import require_full
from hackamore.sandbox.opening import open_sandbox
from hackamore.sandbox.settings import SandboxSettings
from hackamore.wire.frames import Frame

pytestmark = pytest.mark.anyio


@pytest.mark.req("SBX-04")
@pytest.mark.parametrize(
    ("os_release", "command"),
    [
        ("ID=debian\n", "sudo apt install bubblewrap"),
        ('NAME="X"\nID="linuxmint"\nID_LIKE="ubuntu debian"\n', "sudo apt install bubblewrap"),
        ("ID=fedora\n", "sudo dnf install bubblewrap"),
        ("ID=arch\n", "sudo pacman -S bubblewrap"),
        ("", "the package bubblewrap of your system"),
    ],
)
def test_the_command_that_installs_bubblewrap_is_named(os_release: str, command: str) -> None:
    error = bubblewrap_missing(os_release)
    assert command in error.hint
    assert "--sandbox none" in error.hint
    assert error.code is Code.SANDBOX_UNAVAILABLE


@pytest.mark.req("SBX-04")
@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "AppArmor"),
        ("bwrap: No permissions to create new namespace, likely because", "user namespaces"),
        ("bwrap: setting up uid map: Permission denied", "user namespaces"),
        ("bwrap: Can't find source path /x", "Can't find source path /x"),
        ("", "ended without a word"),
    ],
)
def test_a_start_that_failed_is_explained(words: str, cause: str) -> None:
    error = start_failed(words)
    assert cause in error.message
    assert "--sandbox none" in error.hint


@pytest.mark.req("SBX-04")
async def test_a_bubblewrap_that_is_refused_is_diagnosed_from_its_words() -> None:
    program = ["/bin/sh", "-c", "echo 'bwrap: loopback: Failed RTM_NEWADDR' >&2; exit 1"]
    with pytest.raises(SandboxUnavailable, match="AppArmor"):
        await Connection.start(Launch(program, {}, confined=True))


@pytest.mark.req("SBX-04")
def test_a_bubblewrap_from_the_workspace_is_not_used(tmp_path: Path) -> None:
    planted = tmp_path / "bin" / "bwrap"
    planted.parent.mkdir()
    planted.touch(0o755)
    settings = SandboxSettings(str(tmp_path), (str(planted.parent),), "/nowhere", "/nowhere")
    with pytest.raises(SandboxUnavailable):
        find_bubblewrap(settings, system_programs=())


@pytest.mark.req("SBX-04")
def test_a_sandbox_that_does_not_hold_is_refused() -> None:
    holds: dict[str, JSON] = {
        "canary_read": False,
        "home_seen": False,
        "outside_written": [],
        "network": False,
        "capabilities": False,
        "no_new_privileges": True,
        "seccomp": True,
    }
    require_full(Frame({"found": holds}))
    with pytest.raises(SandboxUnavailable, match="the network can be reached"):
        require_full(Frame({"found": {**holds, "network": True}}))
    with pytest.raises(SandboxUnavailable, match="system calls are not filtered"):
        require_full(Frame({"found": {}}))
    with pytest.raises(SandboxUnavailable):
        require_full(Frame({}))


@pytest.mark.req("SBX-03")
async def test_a_workspace_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        await open_sandbox(SandboxSettings(str(tmp_path / "absent"), (), "/nowhere", "/nowhere"))
