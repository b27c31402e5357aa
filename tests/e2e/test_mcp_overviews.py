"""``hackamore mcp list``, ``tools`` and ``doctor``: all servers at a glance, whatever some do."""

import json
from pathlib import Path

import pytest

from servers.commanding import Commands, Hackamore, stdio
from servers.starting import (
    echo_command,
    fault_command,
    fault_site,
    modern_command,
    public_command,
    served,
)


@pytest.mark.req("MCP-13", "MCP-02", "MCP-03")
def test_list_tells_how_each_server_is_and_one_bad_entry_costs_no_other(mcp: Commands) -> None:
    with served(echo_command("http", "--until-eof")) as url, served(modern_command("--sse")) as sse:
        mcp.have(
            echo=stdio(echo_command("stdio")),
            http={"url": url},
            old={"url": sse.replace("/mcp", "/sse")},
            dies=stdio(fault_command("die-at-start")),
            off={"command": "x", "disabled": True},
            wrong={"command": 5},
        )
        found = mcp.json("list")
        text = mcp("list")
    states = {one["name"]: (one["state"], one["tools"]) for one in found["servers"]}
    assert states == {
        "echo": ("ready", 1),
        "http": ("ready", 1),
        "old": ("ready", 7),
        "dies": ("failed", None),
        "off": ("disabled", None),
        "wrong": ("invalid", None),
    }
    assert [(one["server"], one["key"]) for one in found["problems"]] == [("wrong", "command")]
    assert "API_KEY is not set" in found["servers"][3]["detail"]
    assert set(found["servers"][0]) == {
        *("name", "transport", "reached", "source", "state", "detail", "tools", "protocol")
    }
    assert text.status == 0
    assert "✓ echo   ready · 1 tool · stdio: " in text.out
    assert "✗ wrong  invalid" in text.out


@pytest.mark.req("MCP-13")
def test_list_without_connecting_starts_nothing(mcp: Commands, tmp_path: Path) -> None:
    started = tmp_path / "started"
    mcp.have(it={"command": "touch", "args": [str(started)]})
    found = mcp.json("list", "--no-connect")
    assert [one["state"] for one in found["servers"]] == ["idle"]
    assert not started.exists()


@pytest.mark.req("MCP-13")
def test_with_no_server_at_all_it_is_said_how_to_add_one(hackamore: Hackamore) -> None:
    outcome = hackamore("mcp", "list")
    assert outcome.status == 0
    assert "hackamore mcp add" in outcome.out


@pytest.mark.req("MCP-13", "MCP-15")
def test_tools_shows_names_claims_effects_and_whole_descriptions_and_nothing_that_steers(
    mcp: Commands, tmp_path: Path
) -> None:
    tool = {
        "name": "weird name",
        "description": "First.\n\x1b[2JSecond.\u200b\U000e0041 " + "long " * 200 + "end.",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
    }
    (tmp_path / "tools.json").write_text(json.dumps([tool]))
    command = echo_command("stdio", "--tools", str(tmp_path / "tools.json"))
    mcp.have(echo=stdio(command), modern=stdio(modern_command(), trust=True))
    outcome = mcp("tools")
    assert outcome.status == 0
    assert "('weird name' on echo)  [run]" in outcome.out
    assert "    Second. " in outcome.out
    assert "long end." in outcome.out
    assert "modern__weather  [read; the server says: read-only, idempotent]" in outcome.out
    assert "      city (string, required)" in outcome.out
    assert not {"\x1b", "\u200b", "\U000e0041"} & set(outcome.out)
    (described,) = mcp.json("tools", "echo")["tools"]
    assert described["server_tool"] == "weird name"
    assert described["inputSchema"] == tool["inputSchema"]
    assert described["effect"] == "run"


@pytest.mark.req("MCP-13", "MCP-02")
def test_servers_that_cannot_be_had_are_told_beside_the_others(mcp: Commands) -> None:
    mcp.have(
        echo=stdio(echo_command("stdio")),
        sqlite=stdio(public_command("sqlite")),
        none={"command": "there-is-none"},
    )
    outcome = mcp("tools")
    assert outcome.status == 1
    assert outcome.out.startswith("echo__echo")
    assert "The MCP server 'sqlite' did not start: it ended with status 1" in outcome.err
    assert "The MCP server 'none' cannot be started" in outcome.err


@pytest.mark.req("MCP-13", "MCP-01")
def test_without_a_terminal_a_server_of_the_project_is_refused_and_it_is_said_how_to_agree(
    hackamore: Hackamore, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    entry = {"command": "touch", "args": [str(started)]}
    (hackamore.project / ".mcp.json").write_text(json.dumps({"mcpServers": {"theirs": entry}}))
    refused = hackamore("mcp", "call", "theirs", "x")
    assert refused.status == 3
    assert "nobody agreed to it" in refused.err
    assert "run `hackamore mcp tools theirs` in a terminal" in refused.err
    for action in ("list", "tools", "doctor"):
        assert "theirs" in (told := hackamore("mcp", action)).out + told.err
    assert not started.exists()
    named = hackamore("mcp", "call", "theirs", "x", "--mcp", ".mcp.json")
    assert named.status == 1
    assert started.exists()


@pytest.mark.req("MCP-13", "MCP-01")
def test_a_refused_server_of_the_project_leaves_ones_own_of_the_same_name_in_use(
    hackamore: Hackamore, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    entry = {"command": "touch", "args": [str(started)]}
    (hackamore.project / ".mcp.json").write_text(json.dumps({"mcpServers": {"echo": entry}}))
    hackamore("mcp", "add", "echo", "--", *echo_command("stdio"))
    found = json.loads(hackamore("mcp", "list", "--json").out)["servers"]
    assert (found[0]["source"], found[0]["state"]) == (".mcp.json", "unapproved")
    assert found[1]["state"] == "ready"
    assert hackamore("mcp", "call", "echo", "echo", '{"text": "mine"}').out == "mine\n"
    assert not started.exists()


@pytest.mark.req("MCP-13")
def test_where_there_is_nothing_to_list_it_is_said_beside_the_output(mcp: Commands) -> None:
    mcp.have(it=stdio(echo_command("stdio")))
    outcome = mcp("resources")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "No resources.\n")
    assert mcp.json("resources") == {"resources": []}


@pytest.mark.req("MCP-13", "MCP-02", "MCP-15")
def test_doctor_looks_at_everything_and_fails_when_something_is_broken(
    mcp: Commands, tmp_path: Path
) -> None:
    hidden = {"name": "h", "description": "a\u200bb", "inputSchema": {"type": "object"}}
    (tmp_path / "tools.json").write_text(json.dumps([hidden]))
    (mcp.hackamore.project / ".mcp.json").write_text("{ broken")
    mcp.have(
        echo=stdio(echo_command("stdio", "--tools", str(tmp_path / "tools.json"))),
        bad=stdio(fault_command("bad-tools")),
        none={"command": "there-is-none"},
        dies=stdio(fault_command("die-at-start")),
        slip={"command": "x", "disabled": True, "timout": 5},
    )
    outcome = mcp("doctor")
    assert outcome.status == 1
    for words in (
        "✗ .mcp.json: is not JSON",
        "✓ .vscode/mcp.json: there is none",
        "slip → timout: is not known and passed over; did you mean timeout?",
        "✓ echo: it speaks revision 2025-11-25 and offers 1 tool (start ",
        "! echo: the words of the tool 'h' hold characters that nobody can see",
        "! bad: the tool 'no_schema' was left out: inputSchema is missing",
        "! bad: of the tool 'description_is_number' was left out what is wrong: description",
        "✗ none: there is no command 'there-is-none'",
        "✗ dies: The MCP server 'dies' did not start",
        "! slip: it is disabled",
        "3 broken, ",
    ):
        assert words in outcome.out, outcome.out
    found = mcp.json("doctor")
    assert found["broken"] == 3
    (opened,) = [one for one in found["findings"] if one["about"] == "echo" and one["phases"]]
    assert set(opened["phases"]) == {"start_ms", "handshake_ms", "list_ms"}


@pytest.mark.req("MCP-13")
def test_doctor_is_content_where_nothing_is_broken(mcp: Commands) -> None:
    with fault_site() as url:
        mcp.have(echo=stdio(echo_command("stdio")), http={"url": url})
        outcome = mcp("doctor")
    assert outcome.status == 0
    assert "Nothing is broken" in outcome.out


@pytest.mark.req("MCP-13")
@pytest.mark.parametrize(
    "action",
    [
        *("list", "tools", "call", "resources", "read", "prompts", "prompt"),
        *("login", "logout", "doctor"),
    ],
)
def test_each_action_has_help_with_an_example(hackamore: Hackamore, action: str) -> None:
    outcome = hackamore("mcp", action, "--help")
    assert outcome.status == 0
    assert f"example: hackamore mcp {action}" in outcome.out
    assert {"--json", "--workspace", "--mcp"} <= set(outcome.out.replace("\n", " ").split(" "))
