"""A run changes files; `hackamore checkpoints` brings them back."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from hackamore.testing.fake_provider import Answer, FakeProvider


class _Outcome(Protocol):
    status: int
    out: str
    err: str

    def kinds(self) -> list[str]: ...


class _Hackamore(Protocol):
    def __call__(self, *arguments: str, **variables: str) -> _Outcome: ...
    def run(self, provider: FakeProvider, *arguments: str, **variables: str) -> _Outcome: ...


def _call(name: str, **arguments: Any) -> Answer:
    return Answer(calls=[{"name": name, "arguments": arguments}])


_STEPS = [
    *(_call("write_to_file", path=f"{name}.txt", content=f"new {name}\n") for name in "abc"),
    _call("execute_command", command="echo ran >> a.txt; rm b.txt"),
    Answer(text="Done."),
]


@pytest.mark.req("AGT-13")
def test_undo_brings_back_what_a_run_changed(hackamore: _Hackamore, project: Path) -> None:
    (project / "a.txt").write_text("old a\n")
    with FakeProvider(_STEPS) as provider:
        ran = hackamore.run(provider, "--approve", "all")
    assert ran.status == 0, ran.err
    assert ran.kinds().count("checkpoint_created") == 4
    assert (project / "a.txt").read_text() == "new a\nran\n"

    refused = hackamore("checkpoints", "undo")
    assert refused.status == 2
    assert "--yes" in refused.err
    listed = json.loads(hackamore("checkpoints", "list", "--json").out)
    assert len(listed) == 4
    diff = hackamore("checkpoints", "diff").out
    assert "+ran" in diff
    assert "removed: b.txt" in diff

    assert hackamore("checkpoints", "undo", "--yes").status == 0
    assert (project / "a.txt").read_text() == "new a\n"
    assert (project / "b.txt").read_text() == "new b\n"
    first = listed[-1]["id"][:8]
    assert hackamore("checkpoints", "restore", first, "--yes").status == 0
    assert (project / "a.txt").read_text() == "old a\n"
    assert not (project / "b.txt").exists()
    assert not (project / "c.txt").exists()


def _one_change(hackamore: _Hackamore, project: Path) -> str:
    """Let a run change sub/f and delete gone; return the first checkpoint's id."""
    (project / "sub").mkdir()
    (project / "sub/f").write_text("old\n")
    steps = [
        _call("write_to_file", path="sub/new", content="new\n"),
        _call("execute_command", command="echo new > sub/f"),
        Answer(text="Done."),
    ]
    with FakeProvider(steps) as provider:
        assert hackamore.run(provider, "--approve", "all").status == 0
    return json.loads(hackamore("checkpoints", "list", "--json").out)[-1]["id"]


@pytest.mark.req("AGT-13")
@pytest.mark.parametrize("name", ["./sub/f", "sub/../sub/f", "{project}/sub/f", "sub//f", "sub/f/"])
def test_a_file_is_restored_however_it_is_named(
    hackamore: _Hackamore, project: Path, name: str
) -> None:
    kept, named = _one_change(hackamore, project), name.format(project=project)
    asked = hackamore("checkpoints", "restore", kept, "--files", named)
    assert asked.err.count("would undo:") == 1
    assert "would undo: modified sub/f" in asked.err
    done = hackamore("checkpoints", "restore", kept, "--files", named, "--yes")
    assert (done.status, done.out) == (0, "restored: sub/f\n")
    assert (project / "sub/f").read_text() == "old\n"
    assert (project / "sub/new").exists()
    again = hackamore("checkpoints", "restore", kept, "--files", named, "--yes")
    assert again.status == 0
    assert again.out.startswith("Nothing to restore: ")


@pytest.mark.req("AGT-13")
def test_names_outside_and_unknown_names_are_refused(hackamore: _Hackamore, project: Path) -> None:
    kept = _one_change(hackamore, project)
    for named, words in (("../x", "does not lie in the workspace"), ("x", "Nothing is known of")):
        refused = hackamore("checkpoints", "restore", kept, "--files", named, "--yes")
        assert refused.status == 2
        assert words in refused.err
    assert hackamore("checkpoints", "restore", kept, "--files", ".", "--yes").status == 0
    assert not (project / "sub/new").exists()


@pytest.mark.req("AGT-13")
def test_a_folder_below_uses_the_checkpoints_of_the_one_above(
    hackamore: Any, project: Path
) -> None:
    kept = _one_change(hackamore, project)
    below = replace(hackamore, project=project / "sub")
    listed = below("checkpoints", "list")
    assert kept in listed.out
    assert f"These are the checkpoints of {project.resolve()}." in listed.err
    done = below("checkpoints", "restore", kept, "--files", "f", "--yes")
    assert (done.status, done.out) == (0, "restored: sub/f\n")
