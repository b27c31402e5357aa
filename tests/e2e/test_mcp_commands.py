"""``hackamore mcp call``, ``read``, ``prompt`` …: live servers used, and nothing left of them."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from servers.commanding import Commands, stdio
from servers.starting import fault_command, modern_command, public_command
from servers.using import marked_processes

_WAIT = 20


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
    mcp: Commands, server: str, tool: str, arguments: dict[str, str], said: str
) -> None:
    project = mcp.hackamore.project
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(project))
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    flags = [str(project)] if server == "filesystem" else []
    mcp.have(it=stdio(public_command(server, *flags)))
    outcome = mcp("call", "it", tool, json.dumps(arguments))
    assert outcome.status == 0, outcome.err
    assert said in outcome.out


@pytest.mark.req("MCP-13", "MCP-03")
@pytest.mark.parametrize(("transport", "path"), [("streamableHttp", "mcp"), ("sse", "sse")])
def test_a_public_server_is_called_over_http_and_over_sse_by_its_url_alone(
    mcp: Commands, transport: str, path: str
) -> None:
    with _everything(transport, path) as url:
        mcp.have(it={"url": url})
        outcome = mcp("call", "it", "get-sum", '{"a": 2, "b": 40}')
    assert outcome.status == 0, outcome.err
    assert "42" in outcome.out


@pytest.mark.req("MCP-13")
def test_a_page_is_fetched_by_a_public_server(mcp: Commands) -> None:
    mcp.have(it=stdio(public_command("fetch", "--ignore-robots-txt", "--allow-private-ips")))
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
    mcp: Commands, arguments: tuple[str, ...], status: int, words: str
) -> None:
    mcp.have(
        modern=stdio(modern_command()),
        off={"command": "x", "disabled": True},
        wrong={"command": 5},
    )
    outcome = mcp("call", *arguments)
    assert outcome.status == status
    assert words in outcome.out + outcome.err


@pytest.mark.req("MCP-13")
def test_errors_are_json_too_where_that_was_asked_for(mcp: Commands) -> None:
    mcp.have(it=stdio(modern_command()))
    failed = mcp.json("call", "it", "fail", '{"reason": "no milk"}')
    assert failed["is_error"] is True
    assert "no milk" in failed["text"]
    unknown = mcp("call", "nobody", "x", "--json")
    assert unknown.status == 2
    error = json.loads(unknown.out)
    assert error["error_code"] == "MCP_ERROR_INVALID_REQUEST"
    assert "There is no MCP server 'nobody'" in error["error"]


@pytest.mark.req("MCP-13")
def test_arguments_come_from_stdin_and_bytes_go_to_files(mcp: Commands, tmp_path: Path) -> None:
    mcp.have(it=stdio(public_command("everything")))
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
def test_progress_and_words_of_the_server_go_to_stderr(mcp: Commands) -> None:
    mcp.have(it=stdio(modern_command()))
    outcome = mcp("call", "it", "count", '{"to": 2}')
    assert outcome.out == "counted to 2\n"
    assert "1/2 number 1\n2/2 number 2\n" in outcome.err


@pytest.mark.req("MCP-13")
def test_resources_are_listed_and_read_byte_for_byte(mcp: Commands) -> None:
    mcp.have(it=stdio(modern_command()))
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
def test_prompts_are_listed_and_filled_in(mcp: Commands) -> None:
    mcp.have(it=stdio(modern_command()))
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


@pytest.mark.req("MCP-13", "MCP-10", "MCP-11")
def test_ctrl_c_ends_a_call_and_leaves_no_process(mcp: Commands) -> None:
    mcp.have(it=stdio(fault_command("hang")))
    with mcp.hackamore.start(*mcp.line("call", "it", "echo", '{"text": "x"}')) as run:
        assert run.stderr is not None
        assert run.stderr.readline() == "Waiting for echo on it; Ctrl-C ends it.\n"
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=_WAIT) == 130
    _eventually(lambda: not marked_processes(mcp.mark))
