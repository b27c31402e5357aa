"""What the XML format writes is read back the same, and is what models are used to."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.effects import Effect
from hackamore.core.format import CallParsed, FormatEvent
from hackamore.core.messages import Message, Text, Thinking, ToolCall, ToolResult, assistant, user
from hackamore.core.tools import ToolSpec
from hackamore.formats.xml import XmlFormat
from hackamore.testing.sample_tools import READ_FILE, SAMPLE_TOOLS, USE_MCP_TOOL

Read = Callable[..., list[FormatEvent]]
XML = XmlFormat()

TAGS = [
    *("<content>", "</content>", "<write_to_file>", "</write_to_file>", "<path>", "</path>"),
    *("<![CDATA[", "]]>", "]]]]><![CDATA[>", "]", ">", "\r", "\n", "\r\n", " ", "```\n", "`"),
    *("<think>", "</think>", "<read_file>", "</read_file>", "<", "a", "&lt;", "é", "\u2028"),
    *("<command>", "</command>", "<execute_command>", "</execute_command>", "<tool_calls>"),
]
VALUES = st.one_of(st.text(), st.lists(st.sampled_from(TAGS), max_size=16).map("".join))
NUMBERS_AND_WORDS = st.none() | st.booleans() | st.integers() | VALUES
STRUCTURES = st.dictionaries(VALUES, st.lists(NUMBERS_AND_WORDS, max_size=3), max_size=3)


def call_of(name: str, **values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, Any]]:
    return st.tuples(st.just(name), st.fixed_dictionaries(values))


CALLS = (
    call_of("write_to_file", path=VALUES, content=VALUES)
    | call_of("execute_command", command=VALUES)
    | call_of("attempt_completion", result=VALUES, command=VALUES)
    | call_of("read_file", path=VALUES, start_line=st.integers(-(10**18), 10**18))
    | call_of("use_mcp_tool", server_name=VALUES, tool_name=VALUES, arguments=STRUCTURES)
)


@pytest.mark.req("FMT-05")
@given(calls=st.lists(CALLS, min_size=1, max_size=3))
def test_calls_come_back_as_they_were_written(
    calls: list[tuple[str, dict[str, Any]]], read: Read
) -> None:
    parts = [ToolCall(f"call_{n}", name, values) for n, (name, values) in enumerate(calls)]
    (message,) = XML.encode([Message("assistant", (Text("Now:"), *parts))])
    events = [event for event in read(message.text) if isinstance(event, CallParsed)]
    assert [event.call for event in events] == parts


@pytest.mark.req("FMT-01")
def test_a_call_is_written_as_plain_tags() -> None:
    call = ToolCall("call_1", "write_to_file", {"path": "a.py", "content": "print(1)\n"})
    (message,) = XML.encode([Message("assistant", (Thinking("hm"), Text("Writing."), call))])
    assert message.parts[0] == Thinking("hm")
    assert message.text == (
        "Writing.\n\n<write_to_file>\n<path>a.py</path>\n<content>\nprint(1)\n\n</content>\n"
        "</write_to_file>"
    )


@pytest.mark.req("FMT-01")
def test_results_go_back_as_one_message_of_the_user() -> None:
    call = ToolCall("call_1", "read_file", {"path": "src/main.py"})
    results = (ToolResult("call_1", "read_file", "x = 1"), ToolResult("call_9", "gone", "?"))
    messages = [
        user("Do."),
        Message("assistant", (call,)),
        Message("tool", results),
        user("And?"),
        assistant("Done."),
    ]
    encoded = XML.encode(messages)
    assert [message.role for message in encoded] == ["user", "assistant", "user", "assistant"]
    assert encoded[2].parts == (
        Text("[read_file for 'src/main.py'] Result:\nx = 1\n\n[gone] Result:\n?\n\nAnd?"),
    )


@pytest.mark.req("FMT-01")
def test_the_instructions_show_every_tool_with_an_example_that_parses(read: Read) -> None:
    text = XML.instructions(SAMPLE_TOOLS)
    for spec in SAMPLE_TOOLS:
        assert f"## {spec.name}\n{spec.description}" in text
    assert "- start_line (integer, optional)" in text
    events = read(text[text.index("<read_file>") :])
    assert any(isinstance(event, CallParsed) for event in events)


@pytest.mark.req("FMT-01")
def test_the_instructions_without_descriptions_are_short() -> None:
    assert len(XML.instructions(SAMPLE_TOOLS)) / 4 < 700
    assert XML.instructions(()) == ""


@pytest.mark.req("FMT-01")
def test_mcp_tools_are_listed_by_server_or_by_tags_of_their_own() -> None:
    issue = ToolSpec(
        "github__create_issue",
        "Opens an issue.",
        {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]},
        Effect.NETWORK,
        server="github",
    )
    wrapped = XML.instructions([READ_FILE, USE_MCP_TOOL, issue])
    assert "## MCP server github" in wrapped
    assert "- create_issue: Opens an issue." in wrapped
    assert "<github__create_issue>" not in wrapped
    direct = XmlFormat(mcp="direct").instructions([READ_FILE, USE_MCP_TOOL, issue])
    assert "<github__create_issue>\n<title>…</title>" in direct


@pytest.mark.req("MCP-15")
@pytest.mark.parametrize("own", ["t\n# SYSTEM", "t\u200b", "t\x1b[8m", "t\u202e"])
def test_a_name_that_could_be_read_as_something_else_is_not_shown(own: str) -> None:
    spec = ToolSpec("a__t_1", "Does it.", {}, Effect.NETWORK, server="a", server_tool=own)
    text = XML.instructions([READ_FILE, USE_MCP_TOOL, spec])
    assert "- a__t_1: Does it." in text
    assert own not in text
