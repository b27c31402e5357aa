"""Checkpoints of real folders: what is kept, what is brought back, what is never touched."""

import os
import subprocess
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.errors import UsageError
from hackamore.core.protected import SandboxRules
from hackamore.store.checkpoints.pruning import Limits
from hackamore.store.checkpoints.snapshot import Bounds
from hackamore.store.checkpoints.store import CheckpointStore, Step, store_of

_CANARY = "canary-7f3a"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path: Path, workspace: Path) -> CheckpointStore:
    return store_of(tmp_path / "state", workspace, SandboxRules())


def _tree(folder: Path) -> dict[bytes, tuple[str, int, bytes]]:
    """Return everything below a folder: kind, mode, content."""
    found: dict[bytes, tuple[str, int, bytes]] = {}
    for path in folder.rglob("*"):
        name, mode = os.fsencode(path.relative_to(folder)), path.lstat().st_mode & 0o777
        if path.is_symlink():
            found[name] = ("link", 0, os.fsencode(path.readlink()))
        elif path.is_dir():
            found[name] = ("folder", mode, b"")
        else:
            found[name] = ("file", mode, path.read_bytes())
    return found


def _git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.mark.req("AGT-13")
def test_a_restore_brings_back_content_modes_links_and_folders(
    store: CheckpointStore, workspace: Path
) -> None:
    (workspace / "bin").mkdir()
    (workspace / "bin/tool").write_text("#!/bin/sh\n")
    (workspace / "bin/tool").chmod(0o755)
    (workspace / "link").symlink_to("bin/tool")
    before = _tree(workspace)
    kept = store.take(Step("work"))
    (workspace / "bin/tool").chmod(0o644)
    (workspace / "link").unlink()
    (workspace / "link").write_text("a file now")
    (workspace / "new/deep").mkdir(parents=True)
    (workspace / "new/deep/file").write_text("x")
    done = store.restore(kept)
    assert _tree(workspace) == before
    assert done.left == {}
    assert sorted(done.removed) == ["new", "new/deep", "new/deep/file"]


@pytest.mark.req("AGT-13")
def test_a_restore_can_be_undone(store: CheckpointStore, workspace: Path) -> None:
    (workspace / "a").write_text("1")
    kept = store.take(Step("work"))
    (workspace / "a").write_text("2")
    store.restore(kept)
    assert (workspace / "a").read_text() == "1"
    store.restore(store.all()[-1])
    assert (workspace / "a").read_text() == "2"


@pytest.mark.req("AGT-13")
def test_undo_goes_back_step_by_step(store: CheckpointStore, workspace: Path) -> None:
    for number in ("1", "2", "3"):
        (workspace / "a").write_text(number)
        store.take(Step(f"after {number}"))
    (workspace / "a").write_text("4")
    seen: list[str] = []
    for _ in range(3):
        store.restore(store.to_undo())
        seen.append((workspace / "a").read_text())
    assert seen == ["3", "2", "1"]
    with pytest.raises(UsageError, match="nothing to undo"):
        store.to_undo()


@pytest.mark.req("AGT-13")
def test_nothing_new_makes_no_new_checkpoint(store: CheckpointStore, workspace: Path) -> None:
    (workspace / "a").write_text("1")
    assert store.take(Step("one")).id == store.take(Step("two")).id


@pytest.mark.req("AGT-13", "SBX-08")
def test_secrets_are_never_stored(store: CheckpointStore, workspace: Path, tmp_path: Path) -> None:
    (workspace / ".env").write_text(_CANARY)
    (workspace / ".npmrc").write_text(f"//registry.example/:_authToken={_CANARY}\n")
    (workspace / "a").write_text("seen")
    kept = store.take(Step("work"), [".env", ".npmrc"])
    (workspace / ".env").write_text("other")
    store.restore(kept)
    assert (workspace / ".env").read_text() == "other"
    assert {change.path for change in store.diff(kept)} == set()
    stored = [
        zlib.decompress(path.read_bytes())
        for path in (tmp_path / "state").rglob("*/*")
        if path.is_file() and path.name != "lock"
    ]
    assert b"seen" in stored
    assert not any(_CANARY.encode() in data for data in stored)


@pytest.mark.req("AGT-13")
def test_ignored_files_are_kept_only_when_a_step_names_them(
    store: CheckpointStore, workspace: Path
) -> None:
    (workspace / ".gitignore").write_text("*.log\nout/\n")
    (workspace / "a.log").write_text("1")
    (workspace / "b.log").write_text("1")
    kept = store.take(Step("work"), ["a.log", "out/made"])
    (workspace / "a.log").write_text("2")
    (workspace / "b.log").write_text("2")
    (workspace / "out").mkdir()
    (workspace / "out/made").write_text("x")
    store.restore(kept)
    assert (workspace / "a.log").read_text() == "1"
    assert (workspace / "b.log").read_text() == "2"
    assert not (workspace / "out/made").exists()


@pytest.mark.req("AGT-13", "SBX-03")
def test_a_link_put_in_a_folders_place_leads_nothing_outside(
    store: CheckpointStore, workspace: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f").write_text("theirs")
    (workspace / "d").mkdir()
    (workspace / "d/f").write_text("ours")
    kept = store.take(Step("work"))
    (workspace / "d/f").unlink()
    (workspace / "d").rmdir()
    (workspace / "d").symlink_to(outside)
    store.restore(kept)
    assert (outside / "f").read_text() == "theirs"
    assert not (workspace / "d").is_symlink()
    assert (workspace / "d/f").read_text() == "ours"


@pytest.mark.req("AGT-13")
def test_names_that_are_no_text_come_back(store: CheckpointStore, workspace: Path) -> None:
    names = [b"n\xffo", b"two\nlines", "ü".encode(), b" "]
    for name in names:
        Path(os.fsdecode(os.fsencode(workspace) + b"/" + name)).write_bytes(name)
    before = _tree(workspace)
    kept = store.take(Step("work"))
    for path in workspace.iterdir():
        path.unlink()
    store.restore(kept)
    assert _tree(workspace) == before


@pytest.mark.req("AGT-13")
def test_pipes_are_left_out_and_do_not_block(store: CheckpointStore, workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    kept = store.take(Step("work"), ["pipe"])
    assert store.diff(kept) == []


@pytest.mark.req("AGT-13")
def test_a_large_file_is_left_out_and_said_and_not_touched(tmp_path: Path, workspace: Path) -> None:
    (workspace / "big").write_text("x" * 100)
    place = tmp_path / "state"
    store = CheckpointStore(place, str(workspace.resolve()), bounds=Bounds(file_bytes=10))
    kept = store.take(Step("work"))
    assert store.left_out(kept) == {"big": "left out: too large"}
    (workspace / "big").write_text("y")
    store.restore(kept)
    assert (workspace / "big").read_text() == "y"


@pytest.mark.req("AGT-13")
def test_an_incomplete_checkpoint_removes_nothing(tmp_path: Path, workspace: Path) -> None:
    (workspace / "a").write_text("1")
    (workspace / "b").write_text("1")
    place = tmp_path / "state"
    store = CheckpointStore(place, str(workspace.resolve()), bounds=Bounds(paths=1))
    kept = store.take(Step("work"))
    assert not kept.complete
    (workspace / "a").write_text("2")
    (workspace / "c").write_text("2")
    store.restore(kept)
    assert {path.name: path.read_text() for path in workspace.iterdir()} == {
        "a": "1",
        "b": "1",
        "c": "2",
    }


@pytest.mark.req("AGT-13")
def test_old_checkpoints_and_their_contents_are_forgotten(tmp_path: Path, workspace: Path) -> None:
    limits = Limits(checkpoints=3, every=1)
    place = tmp_path / "state"
    store = CheckpointStore(place, str(workspace.resolve()), limits=limits)
    for number in range(6):
        (workspace / "a").write_text(str(number))
        store.take(Step(f"step {number}"))
    assert [kept.title for kept in store.all()] == ["step 3", "step 4", "step 5"]
    assert len(list((place / "objects").glob("*/*"))) == 3


@pytest.mark.req("AGT-13")
def test_an_unknown_id_is_told(store: CheckpointStore, workspace: Path) -> None:
    store.take(Step("work"))
    with pytest.raises(UsageError, match="no checkpoint"):
        store.find("zz")


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize("case", ["ckp-002-user-index", "ckp-001-kill-safe"])
def test_the_users_repositories_stay_as_they_are(
    store: CheckpointStore, workspace: Path, case: str
) -> None:
    nested = workspace if case == "ckp-002-user-index" else workspace / "nested"
    nested.mkdir(exist_ok=True)
    (nested / "a").write_text("1")
    _git(nested, "init", "-q")
    _git(nested, "add", "a")
    _git(nested, "commit", "-qm", "first")
    (nested / "a").write_text("staged")
    _git(nested, "add", "a")
    before = _tree(nested / ".git")
    kept = store.take(Step("work"))
    (nested / "a").write_text("changed")
    store.restore(kept)
    assert _tree(nested / ".git") == before
    assert (nested / "a").read_text() == "staged"


_NAMES = st.sampled_from(["a", "b", "c/d", "c/e", "c/f/g"])
_EDITS = st.lists(st.tuples(_NAMES, st.one_of(st.none(), st.binary(max_size=5))), max_size=8)


def _edit(folder: Path, edits: list[tuple[str, bytes | None]]) -> None:
    for name, data in edits:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if data is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(data)


@pytest.mark.req("AGT-13")
@given(first=_EDITS, second=_EDITS)
def test_whatever_is_edited_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    first: list[tuple[str, bytes | None]],
    second: list[tuple[str, bytes | None]],
) -> None:
    place = tmp_path_factory.mktemp("trees")
    (place / "workspace").mkdir()
    store = store_of(place / "state", place / "workspace", SandboxRules())
    _edit(place / "workspace", first)
    before = _tree(place / "workspace")
    kept = store.take(Step("work"))
    _edit(place / "workspace", second)
    store.restore(kept)
    assert _tree(place / "workspace") == before


@pytest.mark.req("AGT-13")
def test_many_files_and_a_huge_one_make_a_whole_checkpoint_without_the_huge_one(
    store: CheckpointStore, workspace: Path
) -> None:
    """Case ckp-005, smaller."""
    for number in range(2000):
        folder = workspace / f"folder{number % 20}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.txt").write_text(f"{number}\n")
    with (workspace / "huge.bin").open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    kept = store.take(Step("work"))
    assert kept.complete
    assert store.left_out(kept) == {"huge.bin": "left out: too large"}
    for path in workspace.glob("folder3/*.txt"):
        path.unlink()
    assert len(store.restore(kept).written) == 100
