"""A run changes files; `hackamore checkpoints` brings them back."""

import json
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
