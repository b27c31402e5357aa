"""The echo server says what it is told, in pages, and notes what reached it."""

import json
from pathlib import Path
from typing import Any

import pytest

from hackamore.core.json import JSONObject
from hackamore.testing.echo_server.conversation import Conversation
from hackamore.testing.echo_server.script import Script


def _ask(conversation: Conversation, method: str, **params: Any) -> JSONObject:
    answer = conversation.answer({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert answer is not None
    return answer


@pytest.mark.req("MCP-03")
def test_echo_says_the_text_and_other_tools_say_their_arguments() -> None:
    conversation = Conversation(Script())
    said = _ask(conversation, "tools/call", name="echo", arguments={"text": "hé"})
    other = _ask(conversation, "tools/call", name="sum", arguments={"a": [1, None]})
    assert said["result"] == {"content": [{"type": "text", "text": "hé"}], "isError": False}
    assert '{\\"name\\": \\"sum\\", \\"arguments\\": {\\"a\\": [1, null]}}' in json.dumps(other)


@pytest.mark.req("MCP-03")
def test_the_list_of_tools_comes_in_pages_of_the_asked_size() -> None:
    conversation = Conversation(Script(tools=[{"name": name} for name in "abc"], page_size=2))
    first = _ask(conversation, "tools/list")
    second = _ask(conversation, "tools/list", cursor="2")
    assert first["result"] == {"tools": [{"name": "a"}, {"name": "b"}], "nextCursor": "2"}
    assert second["result"] == {"tools": [{"name": "c"}]}


@pytest.mark.req("MCP-03")
def test_a_strict_server_refuses_what_comes_before_the_handshake() -> None:
    conversation = Conversation(Script(strict=True))
    assert "error" in _ask(conversation, "tools/list")
    _ask(conversation, "initialize", protocolVersion="2025-06-18")
    assert conversation.answer({"jsonrpc": "2.0", "method": "notifications/initialized"}) is None
    assert "result" in _ask(conversation, "tools/list")


@pytest.mark.req("MCP-04")
def test_an_unknown_method_and_a_revision_from_the_future_are_answered_by_the_rules() -> None:
    conversation = Conversation(Script())
    assert '"code": -32601' in json.dumps(_ask(conversation, "server/discover"))
    greeting = json.dumps(_ask(conversation, "initialize", protocolVersion="2026-07-28"))
    assert '"protocolVersion": "2025-11-25"' in greeting


@pytest.mark.req("LC-02")
def test_what_reached_the_server_is_noted_as_it_came(tmp_path: Path) -> None:
    log = tmp_path / "wire.jsonl"
    conversation = Conversation(Script(results={"add": {"content": []}}, wire_log=log))
    answer = _ask(conversation, "tools/call", name="add", arguments={"self": 1.0, "ü": None})
    assert answer["result"] == {"content": []}
    noted = json.loads(log.read_text(encoding="utf-8"))
    assert noted == {"name": "add", "arguments": {"self": 1.0, "ü": None}}
