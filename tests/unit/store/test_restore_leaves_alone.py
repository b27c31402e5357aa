"""What a restore leaves alone although it is not in the checkpoint: ignored, secret, too large."""

from pathlib import Path

import pytest

from hackamore.core.errors import UsageError
from hackamore.core.protected import SandboxRules
from hackamore.store.checkpoints.planning import paths_inside
from hackamore.store.checkpoints.snapshot import Bounds
from hackamore.store.checkpoints.store import CheckpointStore, Step, store_of


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path: Path, workspace: Path) -> CheckpointStore:
    return store_of(tmp_path / "state", workspace, SandboxRules())


def _bounded(workspace: Path, bounds: Bounds) -> CheckpointStore:
    return CheckpointStore(workspace.parent / "state", str(workspace.resolve()), bounds=bounds)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.req("AGT-13")
def test_what_was_ignored_then_stays_when_the_step_changed_what_is_ignored(
    store: CheckpointStore, workspace: Path
) -> None:
    _write(workspace / ".gitignore", "data/\n*.log\n")
    _write(workspace / "data/db.sqlite", "mine")
    _write(workspace / "src/a.log", "mine")
    kept = store.take(Step("work"), [".gitignore"])
    _write(workspace / ".gitignore", "nothing\n")
    _write(workspace / "new", "made")
    done = store.restore(kept)
    assert (workspace / "data/db.sqlite").read_text() == "mine"
    assert (workspace / "src/a.log").read_text() == "mine"
    assert (workspace / ".gitignore").read_text() == "data/\n*.log\n"
    assert done.removed == ["new"]
    assert done.left == {}
    assert store.left_out(kept) == {}


@pytest.mark.req("AGT-13")
def test_what_is_new_below_a_folder_that_is_ignored_only_now_is_removed(
    store: CheckpointStore, workspace: Path
) -> None:
    _write(workspace / ".gitignore", "data/\n")
    kept = store.take(Step("work"))
    _write(workspace / ".gitignore", "")
    _write(workspace / "data/made", "by the step")
    assert sorted(store.restore(kept).removed) == ["data", "data/made"]


@pytest.mark.req("AGT-13")
def test_a_file_ignored_since_an_equal_checkpoint_stays(
    store: CheckpointStore, workspace: Path
) -> None:
    _write(workspace / ".gitignore", "*.log\n")
    store.take(Step("one"))
    _write(workspace / "mine.log", "mine")
    kept = store.take(Step("two"))
    _write(workspace / ".gitignore", "")
    store.restore(kept)
    assert (workspace / "mine.log").read_text() == "mine"


@pytest.mark.req("AGT-13")
def test_a_file_that_was_hidden_then_stays_when_the_rules_change(
    tmp_path: Path, workspace: Path
) -> None:
    _write(workspace / "secret.txt", "mine")
    _write(workspace / "a", "1")
    strict = store_of(tmp_path / "state", workspace, SandboxRules(hidden=("secret.txt",)))
    kept = strict.take(Step("work"))
    loose = store_of(tmp_path / "state", workspace, SandboxRules(hidden=()))
    loose.restore(kept)
    assert (workspace / "secret.txt").read_text() == "mine"


@pytest.mark.req("AGT-13")
def test_more_ignored_paths_than_are_noted_make_it_incomplete(workspace: Path) -> None:
    _write(workspace / ".gitignore", "*.log\n")
    for name in "ab":
        _write(workspace / f"{name}.log", "mine")
    store = _bounded(workspace, Bounds(ignored=1))
    kept = store.take(Step("work"))
    assert not kept.complete
    _write(workspace / ".gitignore", "")
    store.restore(kept)
    assert (workspace / "b.log").read_text() == "mine"


@pytest.mark.req("AGT-13")
def test_a_file_that_is_deleted_and_ignored_by_the_same_step_comes_back(
    store: CheckpointStore, workspace: Path
) -> None:
    _write(workspace / "src/a", "1")
    store.take(Step("work"))
    (workspace / "src/a").unlink()
    _write(workspace / ".gitignore", "src/\n")
    kept = store.to_undo()
    assert {change.path for change in store.diff(kept)} == {".gitignore", "src/a"}
    store.restore(kept)
    assert (workspace / "src/a").read_text() == "1"


_TOKEN_LINE = "//registry.example/:_authToken=canary\n"


@pytest.mark.req("AGT-13", "SBX-08")
@pytest.mark.parametrize(
    ("then", "now", "why"),
    [
        (_TOKEN_LINE, "color=false\n", "holds a token in the checkpoint"),
        ("color=false\n", _TOKEN_LINE, "holds a token now"),
    ],
    ids=["token-then", "token-now"],
)
def test_a_file_that_holds_a_token_on_one_side_stays(
    store: CheckpointStore, workspace: Path, then: str, now: str, why: str
) -> None:
    _write(workspace / ".npmrc", then)
    kept = store.take(Step("work"))
    _write(workspace / ".npmrc", now)
    _write(workspace / "new", "made")
    plan = store.plan(kept)
    assert plan.changes == [("new", "added")]
    assert plan.left == {".npmrc": why}
    assert store.restore(kept).left == {".npmrc": why}
    assert (workspace / ".npmrc").read_text() == now
    assert [change.path for change in store.diff(kept)] == []


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize(
    ("then", "now", "why"),
    [("x" * 99, "x", "too large in the checkpoint"), ("x", "x" * 99, "too large now")],
    ids=["large-then", "large-now"],
)
def test_a_file_too_large_on_one_side_stays_and_is_said(
    workspace: Path, then: str, now: str, why: str
) -> None:
    store = _bounded(workspace, Bounds(file_bytes=10))
    _write(workspace / "f", then)
    kept = store.take(Step("work"))
    _write(workspace / "f", now)
    assert store.restore(kept).left == {"f": why}
    assert (workspace / "f").read_text() == now


@pytest.mark.req("AGT-13")
def test_deleted_files_come_back_from_an_incomplete_checkpoint(workspace: Path) -> None:
    for name in "abcdef":
        _write(workspace / name, "1")
    store = _bounded(workspace, Bounds(paths=2))
    kept = store.take(Step("work"))
    assert not kept.complete
    for name in "ab":
        (workspace / name).unlink()
    done = store.restore(kept)
    assert not store.all()[-1].complete
    assert sorted(done.written) == ["a", "b"]
    assert {path.name for path in workspace.iterdir()} == set("abcdef")


@pytest.mark.req("AGT-13")
def test_a_restore_of_an_unknown_name_is_refused(store: CheckpointStore, workspace: Path) -> None:
    _write(workspace / "a", "1")
    kept = store.take(Step("work"))
    with pytest.raises(UsageError, match="Nothing is known of 'b'"):
        store.plan(kept, ["b"])


@pytest.mark.req("AGT-13")
def test_a_protected_file_that_is_named_is_left_and_said(
    store: CheckpointStore, workspace: Path
) -> None:
    _write(workspace / ".env", "1")
    kept = store.take(Step("work"))
    assert list(store.restore(kept, [".env"]).left) == [".env"]


@pytest.mark.req("AGT-13")
def test_paths_that_a_person_names_are_made_relative_to_the_workspace(workspace: Path) -> None:
    root = str(workspace.resolve())
    (workspace / "sub").mkdir()
    named = ["./sub/f", "sub/../sub/f", f"{root}/sub/f", "sub//f", "sub/f/"]
    assert paths_inside(root, root, named) == ["sub/f"]
    assert paths_inside(root, f"{root}/sub", ["f", "../a", "."]) == ["sub/f", "a", "sub"]
    assert paths_inside(root, "/", ["sub/f", "."]) == ["sub/f", "."]
    (workspace.parent / "alias").symlink_to(workspace)
    assert paths_inside(root, root, [f"{workspace.parent}/alias/a"]) == ["a"]
    for outside in ("..", "../a", "/", f"{root}x/a", ""):
        with pytest.raises(UsageError, match="does not lie in the workspace"):
            paths_inside(root, root, [outside])
