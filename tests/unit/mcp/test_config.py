"""Every spelling of ``mcpServers`` that is in use, and everything that can be wrong in it."""

import copy
import json
import math
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.mcp.config import merge, parse_servers, read_servers
from hackamore.mcp.entry import OAuthClient, ServerConfig, ServerEntry, waits_at_start
from hackamore.mcp.loose_json import parse_loose_json

_CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[2] / "cases" / "mcp_config.json").read_text())
}
_VARIABLES = {"HOME": "/home/me", "TOKEN": "s3cret", "EMPTY": ""}


def _parse(text: str, **changes: Any) -> ServerConfig:
    given: dict[str, Any] = {"source": "mcp.json", "variables": _VARIABLES, "workspace": "/ws"}
    return parse_servers(text, **(given | changes))


def _read(mapping: Mapping[str, Any], **changes: Any) -> ServerConfig:
    given: dict[str, Any] = {"source": "a dict", "variables": _VARIABLES, "workspace": "/ws"}
    return read_servers(mapping, **(given | changes))


def _one(entry: Mapping[str, Any]) -> ServerEntry:
    config = _read({"mcpServers": {"x": entry}})
    assert not config.problems
    return config.entries[0]


def _problem(entry: Mapping[str, Any]) -> str:
    config = _read({"mcpServers": {"x": entry, "good": {"command": "g"}}})
    assert [one.name for one in config.entries] == ["good"]
    (problem,) = config.problems
    assert not problem.warning
    return str(problem)


@pytest.mark.req("MCP-01")
def test_clients_type_names_are_understood() -> None:
    case = _CASES["mcp-015-type-aliases"]
    kinds = [_one(entry).transport for entry in case["input"]["entries"]]
    assert kinds == ["http", "probe", "http", "http", "http", "stdio"]


@pytest.mark.req("MCP-01")
@pytest.mark.parametrize("key", ["type", "transport", "transportType"])
@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("sse", "sse"),
        ("SSE", "sse"),
        ("http", "http"),
        ("streamableHttp", "http"),
        ("streamable-http", "http"),
        ("streamable_http", "http"),
        ("Streamable HTTP", "http"),
    ],
)
def test_each_spelling_of_a_type_works_under_each_key(key: str, written: str, kind: str) -> None:
    assert _one({"url": "https://h/mcp", key: written}).transport == kind


@pytest.mark.req("MCP-01")
def test_both_lists_of_approved_tools_count() -> None:
    entry = _one(_CASES["mcp-016-autoapprove-alias"]["input"]["entry"])
    assert entry.auto_approve == {"a", "b"}


@pytest.mark.req("MCP-01")
def test_names_of_servers_may_be_anything() -> None:
    name = _CASES["mcp-018-name-64"]["input"]["server"]
    config = _read({"mcpServers": {name: {"command": "x"}, "数据 库": {"command": "y"}}})
    assert [entry.name for entry in config.entries] == [name, "数据 库"]


@pytest.mark.req("MCP-01")
def test_all_keys_are_read() -> None:
    entry = _one(
        {
            "command": "${HOME}/bin/server",
            "args": ["--root", "${workspaceFolder}", "--level", "${LEVEL:-info}"],
            "cwd": "tools",
            "env": {"KEY": "${env:TOKEN}", "PORT": 8080, "NOTHING": None},
            "disabled": True,
            "timeout": 5,
            "connectTimeout": 2.5,
            "startupWait": 0,
            "tools": {"include": ["read_*"], "exclude": ["read_all"]},
            "disabledTools": ["read_some"],
            "required": True,
            "protocol": "2025-11-25",
            "trust": True,
        }
    )
    assert (entry.command, entry.cwd) == ("/home/me/bin/server", "/ws/tools")
    assert entry.args == ("--root", "/ws", "--level", "info")
    assert entry.env == {"KEY": "s3cret", "PORT": "8080"}
    assert (entry.timeout, entry.connect_timeout, entry.startup_wait) == (5, 2.5, 0)
    assert (entry.include, entry.exclude) == (("read_*",), ("read_all", "read_some"))
    assert entry.disabled
    assert entry.required
    assert entry.trust
    assert entry.protocol == "2025-11-25"
    assert (entry.source, entry.project) == ("a dict", False)


@pytest.mark.req("MCP-01")
def test_what_is_not_given_has_its_default() -> None:
    entry = _one({"command": "x"})
    assert (entry.timeout, entry.connect_timeout, waits_at_start(entry)) == (60, 30, 3)
    assert (entry.include, entry.exclude, entry.auto_approve) == (None, (), frozenset())
    assert (entry.protocol, entry.trust, entry.required, entry.disabled) == (
        "auto",
        False,
        False,
        False,
    )


@pytest.mark.req("MCP-01")
def test_a_url_and_its_headers_are_filled_in_and_shown_without_their_secrets() -> None:
    entry = _one({"url": "https://h/${TOKEN}/mcp", "headers": {"Authorization": "B ${TOKEN}"}})
    assert entry.url == "https://h/s3cret/mcp"
    assert entry.headers == {"Authorization": "B s3cret"}
    assert entry.written is not None
    assert entry.written.url == "https://h/${TOKEN}/mcp"
    assert entry.written.headers == {"Authorization": "B ${TOKEN}"}


@pytest.mark.req("SBX-08")
def test_an_entrys_repr_holds_no_secret() -> None:
    entry = _one({"command": "x", "env": {"A": "${TOKEN}"}})
    assert "s3cret" not in repr(entry)


_FILES = {
    "Claude Desktop": '{"mcpServers": {"fs": {"command": "npx", "args": ["-y", "fs", "/tmp"]}}}',
    "Cline": """{"mcpServers": {"fs": {"command": "node", "args": ["s.js"], "env": {"A": "b"},
        "disabled": false, "autoApprove": ["a"], "timeout": 60, "type": "stdio"}}}""",
    "Roo": """{"mcpServers": {"fs": {"type": "streamable-http", "url": "http://h/mcp",
        "alwaysAllow": ["a"], "disabledTools": ["b"], "watchPaths": ["/x"]}}}""",
    "Claude Code": """{"mcpServers": {"fs": {"type": "http", "url": "${URL:-https://h}/mcp",
        "headers": {"Authorization": "Bearer ${TOKEN}"}, "headersHelper": "x.sh"}}}""",
    "VS Code": """{
        // asked once
        "inputs": [{"type": "promptString", "id": "key", "password": true}],
        "servers": {"fs": {"type": "stdio", "command": "npx", "args": ["-y", "fs",],
            "envFile": "${workspaceFolder}/.env", "dev": {"watch": "x"}, "gallery": true}},
    }""",
    "VS Code's settings": '{"editor.tabSize": 2, "mcp": {"servers": {"fs": {"command": "npx"}}}}',
    "Cursor": '{"mcpServers": {"fs": {"url": "http://h/sse", "headers": {"K": "${env:TOKEN}"}}}}',
    "Windsurf": '{"mcpServers": {"fs": {"serverUrl": "https://h/mcp", "headers": {}}}}',
    "Gemini": """{"theme": "x", "mcpServers": {"fs": {"httpUrl": "http://h/mcp", "timeout": 600,
        "trust": true, "includeTools": ["a"], "excludeTools": ["b"], "description": "d"}}}""",
    "bare": '{"fs": {"command": "npx"}}',
    "with a byte order mark": '\ufeff{"mcpServers": {"fs": {"command": "npx"}}}',
    "with Windows line ends": '{\r\n// x\r\n"mcpServers": {"fs": {"command": "npx",},},\r\n}',
}


@pytest.mark.req("MCP-01")
@pytest.mark.parametrize("client", list(_FILES))
def test_the_files_of_other_clients_are_read_without_complaint(client: str) -> None:
    config = _parse(_FILES[client])
    assert [entry.name for entry in config.entries] == ["fs"]
    assert config.problems == ()


@pytest.mark.req("MCP-01")
def test_geminis_lists_and_addresses_count() -> None:
    (entry,) = _parse(_FILES["Gemini"]).entries
    assert (entry.transport, entry.include, entry.exclude) == ("http", ("a",), ("b",))


@pytest.mark.req("MCP-01", "LC-01")
def test_servers_without_a_wrapper_are_taken_from_a_dict_which_is_not_changed() -> None:
    given = {
        "math": {"command": "python", "args": ("m.py",), "transport": "stdio", "env": None},
        "web": {
            "url": "http://h/mcp",
            "transport": "streamable_http",
            "session_kwargs": None,
            "timeout": timedelta(seconds=7),
        },
    }
    before = copy.deepcopy(given)
    config = _read(given)
    assert [(entry.name, entry.transport) for entry in config.entries] == [
        ("math", "stdio"),
        ("web", "http"),
    ]
    assert config.entries[1].timeout == 7
    assert config.problems == ()
    assert given == before


@pytest.mark.req("MCP-01")
def test_a_server_may_be_called_like_a_wrapper() -> None:
    assert [one.name for one in _read({"servers": {"command": "x"}}).entries] == ["servers"]
    assert [one.name for one in _read({"mcp": {"url": "http://h"}}).entries] == ["mcp"]
    config = _read({"mcpServers": {"command": {"command": "x"}}})
    assert [one.name for one in config.entries] == ["command"]


@pytest.mark.req("MCP-01")
def test_comments_and_commas_inside_texts_stay() -> None:
    (entry,) = _parse(
        r'{"servers": {"x": {"command": "a//b", "args": ["/* no */", ",]", "\"// \\",], /* y */}}}'
    ).entries
    assert (entry.command, entry.args) == ("a//b", ("/* no */", ",]", '"// \\'))


@pytest.mark.req("MCP-02")
@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({}, "neither a command nor a url"),
        ({"command": ""}, "command: is empty"),
        ({"command": ["npx", "x"]}, "command: must be a text, not a list"),
        ({"command": "x", "args": "a b"}, "args: must be a list of texts, not a text"),
        ({"command": "x", "args": ["--port", 80]}, "args: must hold nothing but texts"),
        ({"command": "x", "env": ["A=b"]}, "env: must be an object of texts, not a list"),
        ({"command": "x", "env": {"A": True}}, "env.A: must be a text"),
        ({"command": "x", "env": {"A=B": "c"}}, "env: has a name"),
        ({"command": "x\0y"}, "command: holds a character"),
        ({"command": "x", "cwd": 5}, "cwd: must be a text, not a number"),
        ({"command": "x", "url": "http://h"}, "type: is needed"),
        ({"command": "x", "type": "http"}, "url: is missing"),
        ({"url": "http://h", "type": "stdio"}, "command: is missing"),
        ({"url": "http://h", "type": "websocket"}, "'websocket' is not known"),
        ({"url": "http://h", "type": "sse", "transport": "http"}, "contradict"),
        ({"url": "ws://h/mcp"}, "url: must begin with http:// or https://"),
        ({"url": "file:///etc/passwd"}, "url: must begin with http"),
        ({"url": "http:///mcp"}, "url: names no host"),
        ({"url": "http://[::1/mcp"}, "url: is not an address"),
        ({"url": "http://h:99999/"}, "url: is not an address"),
        ({"url": "http://h/a b"}, "url: holds a space"),
        ({"url": "http://h", "headers": {"A B": "c"}}, "headers: has a name"),
        ({"url": "http://h", "headers": {"A": "b\r\nC: d"}}, "headers.A: holds a character"),
        ({"command": "x", "timeout": "30"}, "timeout: must be a number of seconds, not a text"),
        ({"command": "x", "timeout": True}, "timeout: must be a number of seconds, not true"),
        ({"command": "x", "timeout": 0}, "timeout: must be a number of seconds above 0"),
        ({"command": "x", "timeout": math.nan}, "timeout: must be a number of seconds above 0"),
        ({"command": "x", "timeout": 10**400}, "timeout: is more than a day"),
        ({"command": "x", "connectTimeout": -1}, "connectTimeout: must be"),
        ({"command": "x", "startupWait": -0.1}, "startupWait: must be a number of seconds 0 or"),
        ({"command": "x", "startupWait": math.inf}, "startupWait: is more than a day"),
        ({"command": "x", "autoApprove": True}, "autoApprove: must be a list"),
        ({"command": "x", "tools": {"include": "a"}}, "tools.include: must be a list"),
        ({"command": "x", "disabled": "no"}, "disabled: must be true or false"),
        ({"command": "x", "protocol": "new"}, "protocol: must be auto, legacy or the date"),
        ({"command": "x", "protocol": "2025-11-25\n"}, "protocol: must be"),
        ({"command": "${NOT_SET}/x"}, "command: the environment variable NOT_SET is not set"),
        ({"command": "x", "env": {"A": "${env:NOT_SET}"}}, "env.A: the environment variable"),
        ({"command": "x", "args": ["${input:api-key}"]}, "${env:API_KEY}"),
    ],
)
def test_a_bad_key_costs_only_its_server_and_is_named(entry: dict[str, Any], words: str) -> None:
    problem = _problem(entry)
    assert problem.startswith("a dict → x")
    assert words in problem


@pytest.mark.req("MCP-02")
def test_an_entry_that_is_no_object_and_a_nameless_one_cost_only_themselves() -> None:
    config = _read({"mcpServers": {"a": 5, "": {"command": "x"}, "b": {"command": "y"}}})
    assert [entry.name for entry in config.entries] == ["b"]
    assert [problem.server for problem in config.problems] == ["a", "''"]


@pytest.mark.req("MCP-02")
def test_everything_wrong_in_an_entry_is_told_at_once() -> None:
    config = _read({"mcpServers": {"x": {"command": 1, "timeout": "a", "disabled": 0}}})
    assert {problem.key for problem in config.problems} == {"command", "timeout", "disabled"}


@pytest.mark.req("MCP-02")
def test_what_is_wrong_in_a_disabled_server_is_only_a_warning() -> None:
    config = _read({"mcpServers": {"x": {"command": "${NOT_SET}", "disabled": True}}})
    assert [problem.warning for problem in config.problems] == [True]
    assert config.entries == ()


@pytest.mark.req("MCP-02")
def test_a_slip_of_the_pen_is_told_and_costs_nothing() -> None:
    config = _read({"mcpServers": {"x": {"command": "x", "autoAprove": ["a"]}}})
    (problem,) = config.problems
    assert problem.warning
    assert "did you mean autoApprove?" in str(problem)
    assert [entry.name for entry in config.entries] == ["x"]


@pytest.mark.req("MCP-02")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1]", "must hold an object"),
        ("null", "must hold an object"),
        ('{"mcpServers": {"a": }}', "is not JSON: line 1, column 22"),
        ('{\n"mcpServers": /* never closed', "is not JSON: line 2"),
        ('{"mcpServers": []}', "mcpServers: must be an object"),
        ('{"inputs": []}', "holds no servers"),
        ('{"mcpServer": {"a": {"command": "x"}}}', "holds no servers"),
        ("[" * 100_000, "nested too deep"),
        (f'{{"a": {"1" * 5000}}}', "number that is too long"),
    ],
)
def test_a_file_that_makes_no_sense_is_a_problem_of_the_file(text: str, words: str) -> None:
    config = _parse(text)
    assert config.entries == ()
    (problem,) = config.problems
    assert problem.server == ""
    assert words in str(problem)


@pytest.mark.req("MCP-01")
@pytest.mark.parametrize("text", ["", "  \n", "\ufeff", "{}", '{"mcpServers": {}}'])
def test_a_file_may_be_empty(text: str) -> None:
    assert _parse(text) == ServerConfig()


@pytest.mark.req("MCP-02")
def test_of_two_servers_with_one_name_the_last_counts_and_it_is_said() -> None:
    config = _parse('{"mcpServers": {"x": {"command": "a"}, "x": {"command": "b"}}}')
    assert [entry.command for entry in config.entries] == ["b"]
    (problem,) = config.problems
    assert (problem.server, problem.warning) == ("x", True)
    assert "more than once" in problem.message


@pytest.mark.req("MCP-01")
def test_earlier_configurations_win_and_later_ones_add() -> None:
    first = _parse('{"servers": {"a": {"command": "1"}, "broken": {}}}', source="first")
    second = _parse(
        '{"servers": {"a": {"command": "2"}, "b": {"command": "3"}, "broken": {"command": "4"}}}',
        source="second",
    )
    config = merge([first, second])
    assert [(entry.name, entry.command) for entry in config.entries] == [("a", "1"), ("b", "3")]
    assert [(one.source, one.server) for one in config.problems] == [("first", "broken")]


@pytest.mark.req("MCP-01")
def test_placeholders_of_a_shell_and_of_editors_are_told_apart() -> None:
    entry = _one(
        {"command": "sh", "args": ["-c", "echo ${list[@]} ${x%%y} $HOME ${EMPTY}${EMPTY:-e}"]}
    )
    assert entry.args[1] == "echo ${list[@]} ${x%%y} $HOME e"
    assert _one({"command": "${userHome}/${workspaceFolderBasename}"}).command == "/home/me/ws"
    config = _read({"mcpServers": {"x": {"command": "${workspaceFolder}/x"}}}, workspace=None)
    assert "there is no workspace" in str(config.problems[0])


@pytest.mark.req("MCP-12")
def test_a_client_that_was_registered_by_hand_is_read() -> None:
    oauth = {"clientId": "me", "clientSecret": "${TOKEN}", "scopes": ["a", "b"]}
    entry = _one({"url": "https://h", "oauth": {**oauth, "callbackPort": 8123}})
    assert entry.oauth == OAuthClient("me", "s3cret", scope="a b", port=8123)
    assert "s3cret" not in repr(entry)
    assert _one({"url": "https://h", "oauth": {"scopes": "a b"}}).oauth.scope == "a b"


@pytest.mark.req("MCP-02", "MCP-12")
@pytest.mark.parametrize(
    ("oauth", "words"),
    [
        (True, "oauth: must be an object"),
        ({"clientId": 5}, "oauth.clientId: must be a text"),
        ({"callbackPort": 70_000}, "oauth.callbackPort: must be the number of a port"),
        ({"clientSecret": "${NOT_SET}"}, "oauth.clientSecret: the environment variable"),
    ],
)
def test_what_is_wrong_in_it_costs_only_its_server(oauth: Any, words: str) -> None:
    assert words in _problem({"url": "https://h", "oauth": oauth})


@pytest.mark.req("MCP-01")
def test_what_a_variable_holds_is_not_expanded_again() -> None:
    config = _read(
        {"mcpServers": {"x": {"command": "${A}"}}}, variables={"A": "${B}", "B": "never"}
    )
    assert config.entries[0].command == "${B}"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "mcpServers",
                    "servers",
                    "mcp",
                    "command",
                    "args",
                    "env",
                    "url",
                    "type",
                    "headers",
                    "timeout",
                    "cwd",
                    "tools",
                    "include",
                    "disabled",
                    "protocol",
                    "autoApprove",
                ]
            )
            | st.text(max_size=4),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@pytest.mark.req("MCP-02")
@given(_JSON)
def test_any_json_gives_servers_or_problems_and_never_an_exception(value: Any) -> None:
    config = _parse(json.dumps(value))
    if isinstance(value, dict):
        mapping = cast(dict[str, Any], value)
        before = repr(mapping)
        again = _read(mapping, source="mcp.json")
        assert repr(mapping) == before
        assert [one.name for one in again.entries] == [one.name for one in config.entries]
    for problem in config.problems:
        assert str(problem).startswith("mcp.json")


@pytest.mark.req("MCP-02")
@given(st.text() | st.text(alphabet='{}[]",:/*\\ \n-1a'))
def test_any_text_gives_servers_or_problems_and_never_an_exception(text: str) -> None:
    assert isinstance(_parse(text), ServerConfig)


@pytest.mark.req("MCP-01")
@given(st.dictionaries(st.text(), st.text(), min_size=1, max_size=4))
def test_comments_and_trailing_commas_change_no_value(env: dict[str, str]) -> None:
    pairs = ", ".join(f"{json.dumps(key)}: /* , */ {json.dumps(env[key])}" for key in env)
    assert parse_loose_json(f"// first\n{{{pairs}, // last\n}}") == env


@pytest.mark.req("MCP-12", "MCP-01")
@pytest.mark.parametrize("oauth", [{"clientSecret": "x"}, {"clientId": "${HOME}"}])
def test_a_projects_file_brings_no_secret_to_a_login(oauth: dict[str, str]) -> None:
    config = read_servers(
        {"mcpServers": {"docs": {"url": "https://example.com/mcp", "oauth": oauth}}},
        source=".mcp.json",
        variables={"HOME": "/home/me"},
        workspace=None,
        project=True,
    )
    assert config.entries == ()
    assert "belongs into your own mcp.json" in config.problems[0].message
