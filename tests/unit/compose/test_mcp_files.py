"""Where MCP servers are configured, in what order, and from what kind of file."""

import json
import os
from pathlib import Path

import pytest

from hackamore.compose.environment import Environment
from hackamore.compose.mcp_files import read_mcp_files
from hackamore.core.errors import UsageError


def _environment(tmp_path: Path) -> Environment:
    return Environment(
        {"HOME": "/home/me", "WHO": "me"}, tmp_path / "config", tmp_path / "state", tmp_path / "c"
    )


def _write(path: Path, **commands: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mcpServers": {k: {"command": v} for k, v in commands.items()}}))
    return path


@pytest.mark.req("MCP-01")
def test_earlier_places_win_and_later_ones_add(tmp_path: Path) -> None:
    environment, workspace = _environment(tmp_path), tmp_path / "ws"
    named = _write(tmp_path / "named.json", a="named")
    _write(workspace / ".hackamore" / "mcp.json", a="1", b="1")
    _write(workspace / ".mcp.json", a="2", b="2", c="2")
    _write(workspace / ".vscode" / "mcp.json", c="3", d="3")
    _write(environment.config / "mcp.json", a="4", d="4", e="${WHO}")
    config = read_mcp_files(environment, workspace, [named])
    found = {one.name: (one.command, one.source, one.project) for one in config.entries}
    assert found == {
        "a": ("named", str(named), False),
        "b": ("1", ".hackamore/mcp.json", True),
        "c": ("2", ".mcp.json", True),
        "d": ("3", ".vscode/mcp.json", True),
        "e": ("me", str(environment.config / "mcp.json"), False),
    }
    assert config.problems == ()


@pytest.mark.req("MCP-01")
def test_a_named_file_needs_no_consent_even_when_it_is_the_projects(tmp_path: Path) -> None:
    named = _write(tmp_path / "ws" / ".mcp.json", a="x")
    config = read_mcp_files(_environment(tmp_path), tmp_path / "ws", [named])
    assert [(entry.name, entry.project) for entry in config.entries] == [("a", False)]


@pytest.mark.req("MCP-02")
def test_a_named_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no file"):
        read_mcp_files(_environment(tmp_path), tmp_path, [tmp_path / "none.json"])


@pytest.mark.req("MCP-02")
def test_a_broken_file_costs_only_itself(tmp_path: Path) -> None:
    environment = _environment(tmp_path)
    (tmp_path / ".mcp.json").write_text("{")
    _write(environment.config / "mcp.json", mine="x")
    config = read_mcp_files(environment, tmp_path)
    assert [entry.name for entry in config.entries] == ["mine"]
    assert str(config.problems[0]).startswith(".mcp.json: is not JSON")


@pytest.mark.req("MCP-02", "TOOL-04")
def test_pipes_folders_huge_and_foreign_files_are_told_and_nothing_hangs(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".mcp.json")
    (tmp_path / ".hackamore" / "mcp.json").mkdir(parents=True)
    vscode = tmp_path / ".vscode" / "mcp.json"
    vscode.parent.mkdir()
    vscode.write_bytes('{"servers": {}}'.encode("utf-16"))
    environment = _environment(tmp_path)
    environment.config.mkdir()
    (environment.config / "mcp.json").write_text("[" + " " * 1024 * 1024 + "]")
    reasons = [str(problem) for problem in read_mcp_files(environment, tmp_path).problems]
    assert len(reasons) == 4
    assert "no ordinary file" in reasons[0] or "directory" in reasons[0]
    assert "no ordinary file" in reasons[1]
    assert "not UTF-8" in reasons[2]
    assert "larger than 1024 KiB" in reasons[3]
