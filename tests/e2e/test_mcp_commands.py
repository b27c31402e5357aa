"""``hackamore mcp …`` with live servers: real processes and addresses, and nothing left of them."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol

import pytest

from servers.starting import (
    echo_command,
    fault_command,
    fault_site,
    modern_command,
    public_command,
    served,
)
from servers.using import MARK, marked_processes

_WAIT = 20


class _Outcome(Protocol):
    status: int
    out: str
    err: str


class _Hackamore(Protocol):
    project: Path
    environment: dict[str, str]

    def __call__(self, *arguments: str, **variables: str) -> _Outcome: ...
    def start(self, *arguments: str) -> "subprocess.Popen[str]": ...


def _stdio(command: list[str], **more: Any) -> dict[str, Any]:
    return {"command": command[0], "args": command[1:], **more}


class _Commands:
    """``hackamore mcp …`` with a file of servers, whose processes are marked."""

    def __init__(self, hackamore: _Hackamore, path: Path) -> None:
        self.hackamore = hackamore
        self.mark = uuid.uuid4().hex
        self._path = path

    def have(self, **entries: Mapping[str, Any]) -> None:
        """Configure servers."""
        marked = {
            name: {**entry, "env": {MARK: self.mark}} if "command" in entry else entry
            for name, entry in entries.items()
        }
        self._path.write_text(json.dumps({"mcpServers": marked}))

    def line(self, action: str, *arguments: str) -> list[str]:
        """Return a command line."""
        return ["mcp", action, "--mcp", str(self._path), *arguments]

    def __call__(self, action: str, *arguments: str, **variables: str) -> _Outcome:
        """Run it; afterwards no process of a server is left."""
        outcome = self.hackamore(*self.line(action, *arguments), **variables)
        assert marked_processes(self.mark) == []
        return outcome

    def json(self, action: str, *arguments: str) -> Any:
        """Run it and return the one JSON object that it prints."""
        return json.loads(self(action, "--json", *arguments).out)


@pytest.fixture
def mcp(hackamore: _Hackamore, tmp_path: Path) -> _Commands:
    return _Commands(hackamore, tmp_path / "servers.json")


@contextmanager
def _page(words: str) -> Generator[str]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<html><body><p>{words}</p></body></html>".encode())

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def _everything(transport: str, path: str) -> Generator[str]:
    """Run the public server over HTTP and give its address."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        public_command("everything", transport),
        env=os.environ | {"PORT": str(port)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stderr is not None
        assert any(f"port {port}" in line for line in process.stderr)
        yield f"http://127.0.0.1:{port}/{path}"
    finally:
        process.kill()
        process.communicate()


def _eventually(true: Callable[[], object]) -> None:
    """Return as soon as something holds that other processes bring about."""
    waiting = threading.Event()
    for _ in range(_WAIT * 50):
        if true():
            return
        waiting.wait(0.02)
    raise AssertionError


@pytest.mark.req("MCP-13", "MCP-02", "MCP-03")
def test_list_tells_how_each_server_is_and_one_bad_entry_costs_no_other(mcp: _Commands) -> None:
    with served(echo_command("http", "--until-eof")) as url, served(modern_command("--sse")) as sse:
        mcp.have(
            echo=_stdio(echo_command("stdio")),
            http={"url": url},
            old={"url": sse.replace("/mcp", "/sse")},
            dies=_stdio(fault_command("die-at-start")),
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
def test_list_without_connecting_starts_nothing(mcp: _Commands, tmp_path: Path) -> None:
    started = tmp_path / "started"
    mcp.have(it={"command": "touch", "args": [str(started)]})
    found = mcp.json("list", "--no-connect")
    assert [one["state"] for one in found["servers"]] == ["idle"]
    assert not started.exists()


@pytest.mark.req("MCP-13")
def test_with_no_server_at_all_it_is_said_how_to_add_one(hackamore: _Hackamore) -> None:
    outcome = hackamore("mcp", "list")
    assert outcome.status == 0
    assert "hackamore mcp add" in outcome.out


@pytest.mark.req("MCP-13", "MCP-15")
def test_tools_shows_names_claims_effects_and_whole_descriptions_and_nothing_that_steers(
    mcp: _Commands, tmp_path: Path
) -> None:
    tool = {
        "name": "weird name",
        "description": "First.\n\x1b[2JSecond.\u200b\U000e0041 " + "long " * 200 + "end.",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
    }
    (tmp_path / "tools.json").write_text(json.dumps([tool]))
    command = echo_command("stdio", "--tools", str(tmp_path / "tools.json"))
    mcp.have(echo=_stdio(command), modern=_stdio(modern_command(), trust=True))
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
def test_servers_that_cannot_be_had_are_told_beside_the_others(mcp: _Commands) -> None:
    mcp.have(
        echo=_stdio(echo_command("stdio")),
        sqlite=_stdio(public_command("sqlite")),
        none={"command": "there-is-none"},
    )
    outcome = mcp("tools")
    assert outcome.status == 1
    assert outcome.out.startswith("echo__echo")
    assert "The MCP server 'sqlite' did not start: it ended with status 1" in outcome.err
    assert "The MCP server 'none' cannot be started" in outcome.err


@pytest.mark.req("MCP-13", "MCP-03")
@pytest.mark.parametrize(
    ("server", "tool", "arguments", "said"),
    [
        ("time", "get_current_time", {"timezone": "UTC"}, '"timezone": "UTC"'),
        ("everything", "echo", {"message": "hi"}, "Echo: hi"),
        ("filesystem", "list_directory", {"path": "."}, "[FILE] "),
        ("memory", "read_graph", {}, '"entities": []'),
        ("git", "git_branch", {"repo_path": ".", "branch_type": "local"}, "main"),
    ],
)
def test_public_servers_are_called(
    mcp: _Commands, server: str, tool: str, arguments: dict[str, str], said: str
) -> None:
    project = mcp.hackamore.project
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(project))
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    flags = [str(project)] if server == "filesystem" else []
    mcp.have(it=_stdio(public_command(server, *flags)))
    outcome = mcp("call", "it", tool, json.dumps(arguments))
    assert outcome.status == 0, outcome.err
    assert said in outcome.out


@pytest.mark.req("MCP-13", "MCP-03")
@pytest.mark.parametrize(("transport", "path"), [("streamableHttp", "mcp"), ("sse", "sse")])
def test_a_public_server_is_called_over_http_and_over_sse_by_its_url_alone(
    mcp: _Commands, transport: str, path: str
) -> None:
    with _everything(transport, path) as url:
        mcp.have(it={"url": url})
        outcome = mcp("call", "it", "get-sum", '{"a": 2, "b": 40}')
    assert outcome.status == 0, outcome.err
    assert "42" in outcome.out


@pytest.mark.req("MCP-13")
def test_a_page_is_fetched_by_a_public_server(mcp: _Commands) -> None:
    mcp.have(it=_stdio(public_command("fetch", "--ignore-robots-txt", "--allow-private-ips")))
    with _page("forty-two") as url:
        outcome = mcp("call", "it", "fetch", json.dumps({"url": url}))
    assert "forty-two" in outcome.out


@pytest.mark.req("MCP-13", "UX-06")
@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("modern", "fail", '{"reason": "no milk"}'), 1, "no milk"),
        (("modern", "weather", "{}"), 2, "'city' is a required property. Nothing was sent."),
        (("modern", "weather", "{oops"), 2, "The arguments are not JSON"),
        (("modern", "weather", '{"city": NaN}'), 2, "there is no NaN in JSON"),
        (("modern", "weather", "[1]"), 2, "no JSON object"),
        (("modern", "none"), 2, "has no tool 'none'. It has: weather, greet"),
        (("none", "x"), 2, "There is no MCP server 'none'. Configured: modern, off"),
        (("off", "x"), 2, "is disabled in"),
        (("wrong", "x"), 2, "command: must be a text, not a number"),
        (("modern", "greet", '{"greeting": "Hi"}'), 1, "elicitation"),
    ],
)
def test_a_call_that_fails_says_why_and_ends_with_a_status(
    mcp: _Commands, arguments: tuple[str, ...], status: int, words: str
) -> None:
    mcp.have(
        modern=_stdio(modern_command()),
        off={"command": "x", "disabled": True},
        wrong={"command": 5},
    )
    outcome = mcp("call", *arguments)
    assert outcome.status == status
    assert words in outcome.out + outcome.err


@pytest.mark.req("MCP-13")
def test_errors_are_json_too_where_that_was_asked_for(mcp: _Commands) -> None:
    mcp.have(it=_stdio(modern_command()))
    failed = mcp.json("call", "it", "fail", '{"reason": "no milk"}')
    assert failed["is_error"] is True
    assert "no milk" in failed["text"]
    unknown = mcp("call", "nobody", "x", "--json")
    assert unknown.status == 2
    error = json.loads(unknown.out)
    assert error["error_code"] == "MCP_ERROR_INVALID_REQUEST"
    assert "There is no MCP server 'nobody'" in error["error"]


@pytest.mark.req("MCP-13")
def test_arguments_come_from_stdin_and_bytes_go_to_files(mcp: _Commands, tmp_path: Path) -> None:
    mcp.have(it=_stdio(public_command("everything")))
    with mcp.hackamore.start(*mcp.line("call", "it", "get-tiny-image", "--out", "found")) as run:
        out, _ = run.communicate(timeout=_WAIT)
    assert run.returncode == 0
    assert "[image/png, " in out
    picture = mcp.hackamore.project / "found" / "1.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    (tmp_path / "arguments.json").write_text('{"message": "from stdin"}')
    with (tmp_path / "arguments.json").open() as given:
        done = subprocess.run(
            [sys.executable, "-m", "hackamore", *mcp.line("call", "it", "echo", "-")],
            stdin=given,
            env=mcp.hackamore.environment,
            capture_output=True,
            text=True,
            timeout=_WAIT,
            check=True,
        )
    assert "from stdin" in done.stdout


@pytest.mark.req("MCP-13")
def test_progress_and_words_of_the_server_go_to_stderr(mcp: _Commands) -> None:
    mcp.have(it=_stdio(modern_command()))
    outcome = mcp("call", "it", "count", '{"to": 2}')
    assert outcome.out == "counted to 2\n"
    assert "1/2 number 1\n2/2 number 2\n" in outcome.err


@pytest.mark.req("MCP-13")
def test_resources_are_listed_and_read_byte_for_byte(mcp: _Commands) -> None:
    mcp.have(it=_stdio(modern_command()))
    listed = mcp.json("resources")["resources"]
    assert [(one["uri"], one["template"]) for one in listed] == [
        ("notes://today", False),
        ("notes://picture", False),
        ("city://{city}/weather", True),
    ]
    assert "city://{city}/weather  [it · city_weather" in mcp("resources", "it").out
    assert mcp("read", "it", "notes://today").out == "# Today\nBuy milk."
    assert mcp("read", "it", "notes://picture").out == "GIF89a"
    assert mcp("read", "it", "city://Oslo/weather").out == "Oslo: 21.5"
    (content,) = mcp.json("read", "it", "notes://picture")["contents"]
    assert (content["mimeType"], content["blob"]) == ("image/gif", "R0lGODlh")
    missing = mcp("read", "it", "notes://none")
    assert missing.status == 1
    assert "notes://none" in missing.err


@pytest.mark.req("MCP-13")
def test_prompts_are_listed_and_filled_in(mcp: _Commands) -> None:
    mcp.have(it=_stdio(modern_command()))
    (prompt,) = mcp.json("prompts")["prompts"]
    assert [(one["name"], one["required"]) for one in prompt["arguments"]] == [
        ("city", True),
        ("style", False),
    ]
    assert "describe  [it]" in mcp("prompts", "it").out
    filled = mcp("prompt", "it", "describe", '{"city": "Oslo"}')
    assert filled.out == "user: Describe Oslo in a short style.\n"
    (message,) = mcp.json("prompt", "it", "describe", '{"city": "Oslo"}')["messages"]
    assert message["role"] == "user"
    wrong = mcp("prompt", "it", "describe", '{"city": 5}')
    assert wrong.status == 2
    assert "put it in quotes" in wrong.err


@pytest.mark.req("MCP-13", "MCP-01")
def test_without_a_terminal_a_server_of_the_project_is_refused_and_it_is_said_how_to_agree(
    hackamore: _Hackamore, tmp_path: Path
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
    hackamore: _Hackamore, tmp_path: Path
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
def test_where_there_is_nothing_to_list_it_is_said_beside_the_output(mcp: _Commands) -> None:
    mcp.have(it=_stdio(echo_command("stdio")))
    outcome = mcp("resources")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "No resources.\n")
    assert mcp.json("resources") == {"resources": []}


@pytest.mark.req("MCP-13", "MCP-02", "MCP-15")
def test_doctor_looks_at_everything_and_fails_when_something_is_broken(
    mcp: _Commands, tmp_path: Path
) -> None:
    hidden = {"name": "h", "description": "a\u200bb", "inputSchema": {"type": "object"}}
    (tmp_path / "tools.json").write_text(json.dumps([hidden]))
    (mcp.hackamore.project / ".mcp.json").write_text("{ broken")
    mcp.have(
        echo=_stdio(echo_command("stdio", "--tools", str(tmp_path / "tools.json"))),
        bad=_stdio(fault_command("bad-tools")),
        none={"command": "there-is-none"},
        dies=_stdio(fault_command("die-at-start")),
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
        "! bad: the tool 'no_schema' was left out: inputSchema: Field required",
        "! bad: of the tool 'description_is_number' was left out what is wrong: description",
        "! bad: the schema of the tool 'unknown_type' is no JSON Schema",
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
def test_doctor_is_content_where_nothing_is_broken(mcp: _Commands) -> None:
    with fault_site() as url:
        mcp.have(echo=_stdio(echo_command("stdio")), http={"url": url})
        outcome = mcp("doctor")
    assert outcome.status == 0
    assert "Nothing is broken" in outcome.out


@pytest.mark.req("MCP-13", "MCP-10", "MCP-11")
def test_ctrl_c_ends_a_call_and_leaves_no_process(mcp: _Commands) -> None:
    mcp.have(it=_stdio(fault_command("hang")))
    with mcp.hackamore.start(*mcp.line("call", "it", "echo", '{"text": "x"}')) as run:
        assert run.stderr is not None
        assert run.stderr.readline() == "Waiting for echo on it; Ctrl-C ends it.\n"
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=_WAIT) == 130
    _eventually(lambda: not marked_processes(mcp.mark))


@pytest.mark.req("MCP-13")
@pytest.mark.parametrize(
    "action",
    [
        *("list", "tools", "call", "resources", "read", "prompts", "prompt"),
        *("login", "logout", "doctor"),
    ],
)
def test_each_action_has_help_with_an_example(hackamore: _Hackamore, action: str) -> None:
    outcome = hackamore("mcp", action, "--help")
    assert outcome.status == 0
    assert f"example: hackamore mcp {action}" in outcome.out
    assert {"--json", "--workspace", "--mcp"} <= set(outcome.out.replace("\n", " ").split(" "))
