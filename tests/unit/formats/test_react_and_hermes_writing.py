"""What the ReAct and Hermes formats write is read back the same, and what they tell a model."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.format import CallDraft, CallParsed, FormatEvent, TextOut
from hackamore.core.messages import Message, Text, Thinking, ToolCall, ToolResult, assistant, user
from hackamore.core.model import CallPiece
from hackamore.formats.registry import get_format
from hackamore.testing.sample_tools import SAMPLE_TOOLS

Read = Callable[..., list[FormatEvent]]
REACT, HERMES = get_format("react"), get_format("hermes")

PIECES = [
    *("Thought:", "\nAction: ", "\nObservation: x", "FinalAnswer:", ")", "(", '"', "'", '"""'),
    *("\\", "\\n", "\n", "\r\n", "{", "}", "[", "]", "<tool_call>", "</tool_call>", "```\n"),
    *("<think>", "</think>", "\uff08", "\uff09", "\uff1a", "\uff0c", "[TOOL_CALLS]", "é", "\u2028"),
    *("<function=read_file>", "</parameter>", "</function>", "a", " ", "=", ",", "\0"),
]
VALUES = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers() | FLOATS | VALUES
STRUCTURES = st.dictionaries(VALUES, st.lists(SCALARS, max_size=3), max_size=3)


def call_of(name: str, **values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, Any]]:
    return st.tuples(st.just(name), st.fixed_dictionaries(values))


CALLS = (
    call_of("write_to_file", path=VALUES, content=VALUES)
    | call_of("execute_command", command=VALUES)
    | call_of("read_file", path=VALUES, start_line=st.integers(-(10**18), 10**18))
    | call_of("use_mcp_tool", server_name=VALUES, tool_name=VALUES, arguments=STRUCTURES)
)


def calls(events: list[FormatEvent]) -> list[ToolCall]:
    return [event.call for event in events if isinstance(event, CallParsed)]


@pytest.mark.req("FMT-05")
@given(written=CALLS)
def test_a_react_call_comes_back_as_it_was_written(
    written: tuple[str, dict[str, Any]], read: Read
) -> None:
    call = ToolCall("call_0", *written)
    (message,) = REACT.encode([Message("assistant", (Thinking("I see."), call))])
    assert "\n" not in message.text.removeprefix("Thought: I see.\n")
    assert calls(read(message.text, form="react")) == [call]


@pytest.mark.req("FMT-05")
@given(written=st.lists(CALLS, min_size=1, max_size=3), form=st.sampled_from(["hermes", "auto"]))
def test_hermes_calls_come_back_as_they_were_written(
    written: list[tuple[str, dict[str, Any]]], form: str, read: Read
) -> None:
    parts = [ToolCall(f"call_{n}", name, values) for n, (name, values) in enumerate(written)]
    (message,) = HERMES.encode([Message("assistant", (Text("Now:"), *parts))])
    assert calls(read(message.text, form=form)) == parts


@pytest.mark.req("FMT-01")
def test_the_history_of_react_is_lines_with_labels() -> None:
    call = ToolCall("call_1", "read_file", {"path": "é"})
    encoded = REACT.encode(
        [
            user("Do."),
            Message("assistant", (Text("Well."), Thinking("Look.\n"), call)),
            Message("tool", (ToolResult("call_1", "read_file", "x = 1"),)),
            Message("assistant", (Thinking("Done."), Text("It is 1."))),
            user("Thanks."),
        ]
    )
    assert [(message.role, message.text) for message in encoded] == [
        ("user", "Do."),
        ("assistant", 'Well.\nThought: Look.\nAction: read_file({"path": "é"})'),
        ("user", "Observation: x = 1"),
        ("assistant", "Thought: Done.\nFinalAnswer: It is 1."),
        ("user", "Thanks."),
    ]


@pytest.mark.req("FMT-01")
def test_the_history_of_hermes_is_tags_around_json() -> None:
    call = ToolCall("call_1", "read_file", {"path": "a"})
    results = (ToolResult("call_1", "read_file", "x"), ToolResult("call_2", "read_file", "y"))
    encoded = HERMES.encode(
        [Message("assistant", (Text("Look."), call)), Message("tool", results), assistant("Done.")]
    )
    assert [(message.role, message.text) for message in encoded] == [
        (
            "assistant",
            'Look.\n\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>',
        ),
        (
            "user",
            "<tool_response>\nx\n</tool_response>\n\n<tool_response>\ny\n</tool_response>",
        ),
        ("assistant", "Done."),
    ]


@pytest.mark.req("FMT-04")
def test_react_stops_where_an_observation_begins() -> None:
    assert "\nObservation:" in REACT.stop
    assert len(REACT.stop) <= 4
    assert not REACT.native


@pytest.mark.req("FMT-04")
def test_nothing_is_given_out_after_an_action() -> None:
    parser = REACT.parser(SAMPLE_TOOLS)
    (event,) = [e for e in parser.feed('Action: read_file("a")') if not isinstance(e, CallDraft)]
    assert isinstance(event, CallParsed)
    assert event.form == "react"
    rest = "\nObservation: forged\nThought: x\nAction: read_file('b')\nFinalAnswer: y"
    assert [*parser.feed(rest), *parser.close()] == []


@pytest.mark.req("FMT-01")
def test_the_instructions_tell_of_every_tool_and_show_calls_that_parse(read: Read) -> None:
    words = REACT.instructions(SAMPLE_TOOLS)
    assert "## read_file(path: text, start_line?: integer, end_line?: integer)" in words
    assert words.count("FinalAnswer:") >= 3
    example = words[words.rindex("Action: write_to_file") :]
    assert [call.name for call in calls(read(example, form="react"))] == ["write_to_file"]
    told = HERMES.instructions(SAMPLE_TOOLS)
    assert all(f'{{"name": "{spec.name}"' in told for spec in SAMPLE_TOOLS)
    assert REACT.instructions(()) == HERMES.instructions(()) == ""


@pytest.mark.req("FMT-02")
@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("react", 'Action: write_to_file({"path": "a", "content": "%s"})'),
        ("hermes", '<tool_call>{"name": "write_to_file", "arguments": {"content": "%s"'),
        ("hermes", '[TOOL_CALLS]write_to_file[ARGS]{"content": "%s"'),
    ],
)
def test_drafts_show_a_long_value_as_it_grows(form: str, message: str) -> None:
    parser = get_format(form).parser(SAMPLE_TOOLS)
    body = "line\n" * 100
    events = [e for piece in message % body.replace("\n", "\\n") for e in parser.feed(piece)]
    drafts = [event for event in events if isinstance(event, CallDraft)]
    assert drafts[0] == CallDraft(drafts[0].call_id, "write_to_file")
    content = [draft.text for draft in drafts if draft.parameter == "content"]
    assert "".join(content) == body[: len("".join(content))]
    assert len("".join(content)) > 400
    assert len(content) > 3


@pytest.mark.req("FMT-02")
@pytest.mark.parametrize(
    ("form", "pieces", "given"),
    [
        ("react", ("an Ac", "tion: x\n", "Act", "ors\n", "Fin"), ("an Action: x\n", "Actors\n")),
        ("hermes", ("a <tool", "_box> [TOOL", " b"), ("a ", "<tool_box> ", "[TOOL b")),
    ],
)
def test_text_is_given_out_as_soon_as_it_cannot_become_a_call(
    form: str, pieces: tuple[str, ...], given: tuple[str, ...]
) -> None:
    parser = get_format(form).parser(SAMPLE_TOOLS)
    texts = [e.text for p in pieces for e in parser.feed(p) if isinstance(e, TextOut)]
    assert "".join(texts) == "".join(given)


@pytest.mark.req("FMT-01")
def test_auto_says_which_form_a_call_was_written_in() -> None:
    parser = get_format("auto").parser(SAMPLE_TOOLS)
    xml = "<read_file><path>a</path></read_file>"
    hermes = '<tool_call>{"name": "read_file", "arguments": {"path": "b"}}</tool_call>'
    native = CallPiece(0, "n", "read_file", '{"path": "c"}')
    events = [*parser.feed(f"{xml}\n{hermes}"), *parser.feed_call(native), *parser.close()]
    parsed = [event for event in events if isinstance(event, CallParsed)]
    assert [(e.form, e.call.arguments["path"]) for e in parsed] == [
        ("xml", "a"),
        ("hermes", "b"),
        ("native", "c"),
    ]


@pytest.mark.req("FMT-03")
@pytest.mark.parametrize(
    "message",
    [
        'Action: read_file({"path": "a"})',
        'Thought: it is easy.\nAction: read_file({"path": "a"})\nObservation: b',
    ],
)
def test_auto_takes_lines_of_react_for_the_answer_that_they_may_be(
    message: str, read: Read
) -> None:
    assert read(message, form="auto") == [TextOut(message)]
