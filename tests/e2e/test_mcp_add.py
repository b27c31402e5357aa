"""``hackamore mcp add`` and ``remove``: the person's own file, and other clients' files."""

import json
import stat
from pathlib import Path
from typing import Any, Protocol

import pytest


class _Outcome(Protocol):
    status: int
    out: str
    err: str


class _Hackamore(Protocol):
    project: Path
    environment: dict[str, str]

    def __call__(self, *arguments: str, **variables: str) -> _Outcome: ...


def _file(hackamore: _Hackamore) -> Path:
    return Path(hackamore.environment["HACKAMORE_HOME"]) / "config" / "mcp.json"


def _servers(hackamore: _Hackamore) -> Any:
    return json.loads(_file(hackamore).read_text())["mcpServers"]


@pytest.mark.req("MCP-13")
def test_servers_are_added_and_removed(hackamore: _Hackamore) -> None:
    add = hackamore("mcp", "add", "time", "--env", "A=b=c", "--", "uvx", "time", "--zone", "X")
    assert (add.status, add.err) == (0, "")
    header = ("--header", "Authorization: Bearer ${TOKEN:-}", "--type", "sse")
    assert hackamore("mcp", "add", "docs", "https://h.example/mcp", *header).status == 0
    assert _servers(hackamore) == {
        "time": {"command": "uvx", "args": ["time", "--zone", "X"], "env": {"A": "b=c"}},
        "docs": {
            "type": "sse",
            "url": "https://h.example/mcp",
            "headers": {"Authorization": "Bearer ${TOKEN:-}"},
        },
    }
    assert stat.S_IMODE(_file(hackamore).stat().st_mode) == 0o600
    assert hackamore("mcp", "remove", "time").out == "Removed time.\n"
    assert list(_servers(hackamore)) == ["docs"]


@pytest.mark.req("MCP-13", "UX-06")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("add",), "needs a name"),
        (("add", "x"), "needs a name"),
        (("add", "x", "--env", "A", "--", "c"), "--env takes NAME=VALUE"),
        (("add", "x", "--header", "A: b", "--", "c"), "takes no --header"),
        (("add", "x", "http://"), "names no host"),
        (("add", "x", "--from", "f"), "leave the name out"),
        (("add", "--from", "nowhere.json"), "cannot be read: No such file"),
        (("remove", "x"), "There is no server 'x'"),
    ],
)
def test_what_makes_no_sense_is_said(
    hackamore: _Hackamore, arguments: tuple[str, ...], words: str
) -> None:
    outcome = hackamore("mcp", *arguments)
    assert outcome.status == 2
    assert words in outcome.err
    assert not _file(hackamore).exists()


@pytest.mark.req("MCP-13")
def test_another_clients_servers_are_taken_over_and_the_rest_is_told(
    hackamore: _Hackamore, tmp_path: Path
) -> None:
    hackamore("mcp", "add", "mine", "--", "x")
    other = tmp_path / "other.json"
    other.write_text(
        """{ // VS Code's
        "servers": {
            "good": {"type": "stdio", "command": "npx", "args": ["-y", "${workspaceFolder}"],},
            "asks": {"command": "npx", "env": {"KEY": "${input:key}"}},
            "mine": {"command": "y"},
            "slip": {"command": "z", "disable": true},
        }}"""
    )
    outcome = hackamore("mcp", "add", "--from", str(other))
    assert outcome.status == 0
    assert "Added good.\nAdded slip.\n" in outcome.out
    assert f"Left out: {other} → asks → env.KEY: ${{input:key}} is asked for" in outcome.out
    assert f"Left out: {other} → mine:" in outcome.out
    assert f"Note: {other} → slip → disable: is not known" in outcome.out
    assert list(_servers(hackamore)) == ["mine", "good", "slip"]
    assert _servers(hackamore)["good"]["args"] == ["-y", "${workspaceFolder}"]


@pytest.mark.req("MCP-13")
def test_a_broken_file_and_a_linked_one_are_respected(
    hackamore: _Hackamore, tmp_path: Path
) -> None:
    path, linked = _file(hackamore), tmp_path / "dotfiles.json"
    path.parent.mkdir(parents=True)
    linked.write_text("{ broken")
    path.symlink_to(linked)
    outcome = hackamore("mcp", "add", "x", "--", "y")
    assert outcome.status == 2
    assert "is not JSON: line 1" in outcome.err
    assert linked.read_text() == "{ broken"
    linked.write_text("// mine\n{}\n")
    assert hackamore("mcp", "add", "x", "--", "y").status == 0
    assert path.is_symlink()
    assert linked.read_text().startswith("// mine\n")
