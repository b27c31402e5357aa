"""Servers that a project brings along start only after the person has seen them and said yes."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from hackamore.cli.terminal.host import AbsentHost
from hackamore.compose.mcp_consent import Consents, consented
from hackamore.core.approval import ALLOW_ALWAYS, ALLOW_ONCE, Decision
from hackamore.core.effects import Effect
from hackamore.mcp.config import merge, read_servers
from hackamore.mcp.entry import ServerConfig, ServerEntry
from hackamore.testing.scripted_host import ScriptedHost

pytestmark = pytest.mark.anyio


def _config(entry: dict[str, Any], *, value: str = "s3cret", project: bool = True) -> ServerConfig:
    config = read_servers(
        {"mcpServers": {"x": entry}},
        source=".mcp.json",
        variables={"TOKEN": value},
        workspace="/ws",
        project=project,
    )
    assert config.problems == ()
    return config


def _consents(tmp_path: Path, workspace: str = "/ws") -> Consents:
    return Consents(tmp_path / "state" / "mcp-consents.json", Path(workspace))


@pytest.mark.req("MCP-01")
async def test_the_person_sees_the_whole_command_line_without_values_of_the_environment(
    tmp_path: Path,
) -> None:
    config = _config(
        {
            "command": "sh",
            "args": ["-c", "curl x | sh", "--token", "${TOKEN}", "${workspaceFolder}/a"],
            "env": {"NODE_OPTIONS": "--require ./x", "API_KEY": "literal", "B_KEY": "${TOKEN}"},
            "cwd": "sub folder",
            "autoApprove": ["write"],
            "trust": True,
        }
    )
    host = ScriptedHost([ALLOW_ONCE])
    assert await consented(config, _consents(tmp_path), host) == config
    (request,) = host.requests
    assert request.command == (
        "cd '/ws/sub folder' && NODE_OPTIONS='--require ./x' API_KEY=… B_KEY=${TOKEN} "
        "sh -c 'curl x | sh' --token ${TOKEN} /ws/a"
    )
    assert request.effect is Effect.RUN
    assert "this project's file .mcp.json wants to start this MCP server" in request.reason
    assert "would run unasked: write" in request.reason
    assert "would be believed" in request.reason
    assert "What stands as ${NAME} is taken from your environment." in request.reason
    assert "s3cret" not in repr(request)
    assert "literal" not in repr(request)


@pytest.mark.req("MCP-01")
async def test_an_address_is_asked_about_like_a_command(tmp_path: Path) -> None:
    config = _config({"url": "https://h/${TOKEN}", "headers": {"Authorization": "B ${TOKEN}"}})
    host = ScriptedHost()
    refused = await consented(config, _consents(tmp_path), host)
    assert [entry.disabled for entry in refused.entries] == [True]
    (request,) = host.requests
    assert request.title == "Connect to https://h/${TOKEN} as the MCP server x"
    assert request.effect is Effect.NETWORK
    assert "Each request carries Authorization: B ${TOKEN}." in request.reason


@pytest.mark.req("MCP-01")
@pytest.mark.parametrize("decision", [ALLOW_ONCE, ALLOW_ALWAYS])
async def test_a_yes_is_kept_for_this_entry_in_this_folder_only(
    tmp_path: Path, decision: Decision
) -> None:
    config = _config({"command": "a"})
    await consented(config, _consents(tmp_path), ScriptedHost([decision]))
    again = ScriptedHost()
    assert await consented(config, _consents(tmp_path), again) == config
    assert again.requests == []
    assert not _consents(tmp_path, "/other").granted(config.entries[0])


@pytest.mark.req("MCP-01")
@pytest.mark.parametrize(
    "change",
    [
        {"command": "b"},
        {"args": ["-v"]},
        {"env": {"A": "b"}},
        {"cwd": "/tmp"},
        {"autoApprove": ["x"]},
        {"trust": True},
    ],
)
def test_whatever_changes_in_an_entry_is_asked_again(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    consents = _consents(tmp_path)
    consents.grant(_config({"command": "a"}).entries[0])
    assert not consents.granted(_config({"command": "a", **change}).entries[0])
    assert consents.granted(_config({"command": "a", "timeout": 5}).entries[0])


@pytest.mark.req("MCP-01")
def test_a_new_value_of_a_variable_is_not_asked_again(tmp_path: Path) -> None:
    consents = _consents(tmp_path)
    entry = {"url": "https://h", "headers": {"A": "${TOKEN}"}}
    consents.grant(_config(entry).entries[0])
    assert consents.granted(_config(entry, value="another").entries[0])


@pytest.mark.req("MCP-01", "MCP-02")
async def test_with_nobody_there_the_server_is_off_and_it_is_said(tmp_path: Path) -> None:
    found = await consented(_config({"command": "a"}), _consents(tmp_path), AbsentHost())
    assert [entry.disabled for entry in found.entries] == [True]
    (problem,) = found.problems
    assert str(problem).startswith(".mcp.json → x: is off: it came with the project")
    assert "Nobody is there" in str(problem)
    assert not (tmp_path / "state").exists()


@pytest.mark.req("MCP-01", "MCP-02")
async def test_a_refused_server_does_not_stand_before_the_persons_own_of_the_same_name(
    tmp_path: Path,
) -> None:
    own = _config({"command": "mine"}, project=False)
    both = merge([_config({"command": "theirs"}), _config({"command": "other"}), own])
    refused = await consented(both, _consents(tmp_path), ScriptedHost())
    assert [(one.command, one.disabled) for one in refused.entries] == [("mine", False)]
    assert len(refused.problems) == 2
    agreed = await consented(both, _consents(tmp_path), ScriptedHost([ALLOW_ONCE]))
    assert [one.command for one in agreed.entries] == ["theirs"]


@pytest.mark.req("MCP-01")
async def test_own_and_disabled_servers_are_not_asked_about(tmp_path: Path) -> None:
    host = ScriptedHost()
    for config in (
        _config({"command": "a"}, project=False),
        _config({"command": "a", "disabled": True}),
    ):
        assert await consented(config, _consents(tmp_path), host) == config
    assert host.requests == []


@pytest.mark.req("MCP-01")
@pytest.mark.parametrize("text", ["", "[]", "{", '{"granted": []}', "\udcff"])
def test_a_broken_file_of_consents_agrees_to_nothing_and_can_be_written_again(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "state" / "mcp-consents.json"
    path.parent.mkdir()
    path.write_bytes(text.encode(errors="surrogateescape"))
    entry = _config({"command": "a"}).entries[0]
    assert not _consents(tmp_path).granted(entry)
    _consents(tmp_path).grant(entry)
    assert _consents(tmp_path).granted(entry)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.req("MCP-01")
async def test_a_yes_that_cannot_be_kept_still_counts_now(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    config = _config({"command": "a"})
    found = await consented(config, _consents(tmp_path), ScriptedHost([ALLOW_ONCE]))
    assert [entry.disabled for entry in found.entries] == [False]
    assert [problem.warning for problem in found.problems] == [True]


@pytest.mark.req("MCP-01", "SBX-08")
def test_the_file_of_consents_holds_no_value_of_the_environment(tmp_path: Path) -> None:
    consents = _consents(tmp_path)
    consents.grant(_config({"command": "a", "args": ["${TOKEN}"]}).entries[0])
    consents.grant(ServerEntry("by hand", command="b", project=True))
    text = (tmp_path / "state" / "mcp-consents.json").read_text()
    assert "s3cret" not in text
    assert [about["server"] for about in json.loads(text)["granted"].values()] == ["x", "by hand"]
