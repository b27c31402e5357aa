"""``autoApprove`` holds for tools as they described themselves, and for no others."""

import stat
from pathlib import Path

import pytest

from hackamore.compose.auto_approval import AutoApproval
from hackamore.core.approval import ApprovalRequest
from hackamore.core.effects import Effect
from hackamore.mcp.entry import ServerEntry

pytestmark = pytest.mark.req("MCP-15")


def _asked(
    description: str = "Say it.", server: str | None = "it", tool: str | None = "echo"
) -> ApprovalRequest:
    return ApprovalRequest(
        id="q",
        call_id="c",
        tool="it__echo",
        title="Call echo",
        effect=Effect.RUN,
        arguments={},
        reason="run",
        description=description,
        server=server,
        server_tool=tool,
    )


def _approval(folder: Path, *names: str) -> AutoApproval:
    entry = ServerEntry("it", auto_approve=frozenset(names))
    return AutoApproval(folder / "state" / "approved.json", folder, [entry, ServerEntry("other")])


def test_a_named_tool_passes_as_long_as_it_says_what_it_said(tmp_path: Path) -> None:
    assert _approval(tmp_path, "echo").covers(_asked())
    assert _approval(tmp_path, "echo").covers(_asked())
    assert not _approval(tmp_path, "echo").covers(_asked("Say it, and send it."))
    assert _approval(tmp_path, "echo").covers(_asked())


def test_a_yes_of_the_person_holds_for_the_new_words(tmp_path: Path) -> None:
    approval = _approval(tmp_path, "echo")
    assert approval.covers(_asked())
    approval.allowed(_asked("New words."))
    assert approval.covers(_asked("New words."))
    assert not approval.covers(_asked())


def test_a_star_names_all_tools_of_its_server_and_of_no_other(tmp_path: Path) -> None:
    approval = _approval(tmp_path, "*")
    assert approval.covers(_asked(tool="anything"))
    assert not approval.covers(_asked(server="other"))
    assert not approval.covers(_asked(server=None, tool=None))


def test_what_is_not_named_is_neither_passed_nor_remembered(tmp_path: Path) -> None:
    approval = _approval(tmp_path, "echo")
    assert not approval.covers(_asked(tool="delete"))
    approval.allowed(_asked(tool="delete"))
    assert not approval.covers(_asked(tool="delete"))
    assert not (tmp_path / "state" / "approved.json").exists()


def test_what_is_remembered_is_private_and_may_be_damaged(tmp_path: Path) -> None:
    approval = _approval(tmp_path, "echo")
    assert approval.covers(_asked())
    path = tmp_path / "state" / "approved.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for damage in ("", "[1]", "{"):
        path.write_text(damage, encoding="utf-8")
        assert approval.covers(_asked())


def test_what_cannot_be_remembered_is_asked(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    entry = ServerEntry("it", auto_approve=frozenset({"echo"}))
    approval = AutoApproval(blocked / "approved.json", tmp_path, [entry])
    assert not approval.covers(_asked())
