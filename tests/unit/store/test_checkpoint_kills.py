"""A checkpoint that is killed, or taken by two at once, leaves the others whole."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hackamore.core.protected import SandboxRules
from hackamore.store.checkpoints.store import Step, store_of

_TAKER = """
import os, signal, sys
from pathlib import Path
from hackamore.core.protected import SandboxRules
from hackamore.store.checkpoints.store import Step, store_of

calls = 0

def die(event, arguments):
    global calls
    if event == "os.rename":
        calls += 1
        if calls == int(sys.argv[3]):
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(die)
store_of(Path(sys.argv[1]), Path(sys.argv[2]), SandboxRules()).take(Step(sys.argv[4]))
"""


def _taker(state: Path, workspace: Path, at: int, title: str) -> "subprocess.Popen[bytes]":
    line = [sys.executable, "-c", _TAKER, str(state), str(workspace), str(at), title]
    return subprocess.Popen(line)


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize("at", [1, 2, 5, 6], ids="before-rename-{}".format)
def test_a_kill_in_the_middle_leaves_the_checkpoints_before(tmp_path: Path, at: int) -> None:
    workspace, state = tmp_path / "workspace", tmp_path / "state"
    (workspace / "nested/.git").mkdir(parents=True)
    (workspace / "nested/.git/HEAD").write_text("ref: refs/heads/main\n")
    (workspace / "a").write_text("1")
    store = store_of(state, workspace, SandboxRules())
    kept = store.take(Step("before"))
    for number in range(5):
        (workspace / f"f{number}").write_text(f"content {number}")
    taker = _taker(state, workspace, at, "killed")
    assert taker.wait(timeout=30) == -signal.SIGKILL
    assert [found.id for found in store.all()] == [kept.id]
    assert [path.name for path in (workspace / "nested/.git").iterdir()] == ["HEAD"]
    (workspace / "a").write_text("2")
    store.restore(kept)
    assert (workspace / "a").read_text() == "1"
    assert not (workspace / "f0").exists()


@pytest.mark.req("AGT-13")
def test_two_processes_at_once_keep_both_checkpoints(tmp_path: Path) -> None:
    workspace, state = tmp_path / "workspace", tmp_path / "state"
    workspace.mkdir()
    for number in range(50):
        (workspace / f"f{number}").write_text(f"content {number}")
    takers = [_taker(state, workspace, 0, title) for title in ("one", "two")]
    assert [taker.wait(timeout=30) for taker in takers] == [0, 0]
    store = store_of(state, workspace, SandboxRules())
    (kept,) = store.all()
    for path in workspace.iterdir():
        path.unlink()
    assert len(store.restore(kept).written) == 50
