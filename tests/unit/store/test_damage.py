"""A damaged store: what is whole still counts, and nothing is lost that cannot come back."""

import json
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.errors import WorkspaceError
from hackamore.core.protected import SandboxRules
from hackamore.store.checkpoints.manifest import (
    Checkpoint,
    Entry,
    Tree,
    decode_header,
    decode_tree,
    encode,
)
from hackamore.store.checkpoints.objects import Objects
from hackamore.store.checkpoints.restoring import restore_tree
from hackamore.store.checkpoints.store import CheckpointStore, Step, store_of


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def store(tmp_path: Path, workspace: Path) -> CheckpointStore:
    return store_of(tmp_path / "state", workspace, SandboxRules())


def _damage(store: CheckpointStore, content: bytes) -> None:
    for path in (store.folder / "objects").glob("*/*"):
        if zlib.decompress(path.read_bytes()) == content:
            path.write_bytes(b"damaged")


@pytest.mark.req("AGT-13")
def test_one_damaged_content_does_not_stop_a_comparison(
    store: CheckpointStore, workspace: Path
) -> None:
    for name in "ab":
        (workspace / name).write_text(f"old {name}\n")
    kept = store.take(Step("work"))
    for name in "ab":
        (workspace / name).write_text(f"new {name}\n")
    _damage(store, b"old a\n")
    first, second = store.diff(kept)
    assert (first.path, first.change, first.diff) == ("a", "modified", "")
    assert "damaged" in first.note
    assert "+new b" in second.diff
    assert store.plan(kept).changes == [("a", "modified"), ("b", "modified")]
    done = store.restore(kept)
    assert done.written == ["b"]
    assert list(done.left) == ["a"]
    assert (workspace / "a").read_text() == "new a\n"


@pytest.mark.req("AGT-13")
def test_adding_a_content_mends_a_damaged_one(tmp_path: Path) -> None:
    objects = Objects(tmp_path)
    key = objects.add(b"content")
    (kept,) = tmp_path.glob("*/*")
    kept.write_bytes(b"damaged")
    assert objects.add(b"content") == key
    assert objects.read(key) == b"content"


@pytest.mark.req("AGT-13")
def test_a_restore_can_be_undone_even_when_the_present_was_kept_damaged(
    store: CheckpointStore, workspace: Path
) -> None:
    (workspace / "a").write_text("1")
    kept = store.take(Step("one"))
    (workspace / "a").write_text("2")
    store.take(Step("two"))
    _damage(store, b"2")
    store.restore(kept)
    assert (workspace / "a").read_text() == "1"
    store.restore(store.all()[-1])
    assert (workspace / "a").read_text() == "2"


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize("then", [{}, {"a": Entry("file", 0o644, "old")}], ids=["gone", "other"])
def test_what_was_not_kept_whole_is_neither_removed_nor_replaced(
    workspace: Path, then: dict[str, Entry]
) -> None:
    (workspace / "a").write_text("mine")

    def read(key: str) -> bytes:
        if key == "now":
            raise WorkspaceError("It is damaged.")
        return b"old"

    now = Tree({"a": Entry("file", 0o644, "now")})
    done = restore_tree(str(workspace.resolve()), now, Tree(then), ["a"], read)
    assert done.left == {"a": "It is damaged."}
    assert (workspace / "a").read_text() == "mine"


@pytest.mark.req("AGT-13")
def test_a_link_stays_when_the_file_it_replaced_is_damaged(
    store: CheckpointStore, workspace: Path
) -> None:
    (workspace / "a").write_text("old")
    kept = store.take(Step("work"))
    (workspace / "a").unlink()
    (workspace / "a").symlink_to("elsewhere")
    _damage(store, b"old")
    assert list(store.restore(kept).left) == ["a"]
    assert (workspace / "a").is_symlink()


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
_PARTS = ["id", "time_ns", "complete", "named", "entries", "left", "ignored", "absent"]


def _decode(data: bytes) -> None:
    decode_header(data)
    decode_tree(data)


@pytest.mark.req("AGT-13")
@given(part=st.sampled_from(_PARTS), value=_JSON)
def test_a_checkpoint_of_any_other_form_is_damaged_and_nothing_worse(
    part: str, value: object
) -> None:
    lines = zlib.decompress(encode(Checkpoint("ab", 1, "t"), Tree())).splitlines()
    header, body = json.loads(lines[0]), json.loads(lines[1])
    (header if part in header else body)[part] = value
    data = zlib.compress(f"{json.dumps(header)}\n{json.dumps(body)}\n".encode())
    try:
        _decode(data)
    except ValueError:
        return
    likely = {"id": str, "time_ns": int, "complete": bool, "named": list}
    assert isinstance(value, likely.get(part, (dict, list)))


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize("text", ["[]\n[]", "{}\n{}", "null\nnull", "1\n2", '"a"\n"b"'])
def test_a_checkpoint_that_is_no_object_is_damaged(text: str) -> None:
    data = zlib.compress(text.encode())
    with pytest.raises(ValueError, match="no checkpoint"):
        decode_header(data)
    with pytest.raises(ValueError, match="no checkpoint"):
        decode_tree(data)


@pytest.mark.req("AGT-13")
def test_what_was_ignored_or_absent_is_read_again() -> None:
    tree = Tree(
        {"a": Entry("file", 0o644, "key", (1, 2, 3, 4))},
        {"b": "left out: too large"},
        complete=False,
        ignored=frozenset({"c"}),
        absent=frozenset({"d"}),
    )
    assert decode_tree(encode(Checkpoint("ab", 1, "t", complete=False), tree)) == tree
