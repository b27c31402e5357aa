"""What the XML format makes of answers that are not like the book."""

from collections.abc import Callable

import pytest

from hackamore.core.format import (
    CallCut,
    CallDraft,
    CallMalformed,
    CallParsed,
    FormatEvent,
    TextOut,
    ThinkingOut,
)
from hackamore.core.json import JSONObject
from hackamore.formats.xml import XmlFormat
from hackamore.testing.sample_tools import SAMPLE_TOOLS

Read = Callable[..., list[FormatEvent]]
READ = "<read_file>\n<path>a</path>\n</read_file>"


def calls(events: list[FormatEvent]) -> list[tuple[str, JSONObject]]:
    return [(e.call.name, e.call.arguments) for e in events if isinstance(e, CallParsed)]


def text(events: list[FormatEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextOut))


def thoughts(events: list[FormatEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, ThinkingOut))


def write(content: str, path: str = "a.md") -> str:
    return (
        f"<write_to_file>\n<path>{path}</path>\n<content>\n{content}\n</content>\n</write_to_file>"
    )


@pytest.mark.req("FMT-01")
def test_two_calls_in_a_message_stay_two_with_the_text_around_them(read: Read) -> None:
    events = read(f"One.\n{READ}\nTwo.\n<list_files><path>.</path></list_files>\nThree.")
    assert calls(events) == [("read_file", {"path": "a"}), ("list_files", {"path": "."})]
    assert text(events) == "One.\n\nTwo.\n\nThree."


@pytest.mark.req("FMT-05")
@pytest.mark.parametrize(
    "content",
    [
        "Use the <content> tag.",
        "Close with </content>, then </write_to_file>.",
        "The </write_to_file> tag ends it.",
        "The <write_to_file> tool writes.",
        "</content> twice </content>",
        f"Like this:\n{write('x')}\nand\n{write('y')}\nDone.",
        "An opening <content> and a whole call:\n" + write("x") + "\nDone.",
        "```python\nprint()\n```",
        "<think>not thought</think>",
        "</path>\n<path>b</path>",
        "<![CDATA[a]]> and <![CDATA[b]]>",
        "  indented\n\n",
        "tab\t\r\nCRLF",
        "<read_file>\n<path>other</path>\n</read_file>",
        "{{braces}} &lt;entities&gt; $1 \\n",
    ],
)
def test_content_may_document_the_protocol(read: Read, content: str) -> None:
    message = f"{write(content)}\n{write('second', 'b.md')}"
    want = [
        ("write_to_file", {"path": "a.md", "content": content}),
        ("write_to_file", {"path": "b.md", "content": "second"}),
    ]
    assert calls(read(message)) == want
    assert calls(read(message, range(1, len(message)))) == want


@pytest.mark.req("FMT-05")
def test_line_breaks_next_to_the_tags_go_and_no_others(read: Read) -> None:
    message = write("\n\nbody\n\n").replace("\n", "\r\n")
    arguments = calls(read(message))[0][1]
    assert arguments["content"] == "\r\n\r\nbody\r\n\r\n"


@pytest.mark.req("FMT-05")
def test_a_mention_of_an_unfinished_call_does_not_swallow_the_next(read: Read) -> None:
    content = "Start with:\n<write_to_file>\n<path>x</path>\nand so on."
    message = f"{write(content)}\n{write('second', 'b.md')}"
    assert calls(read(message)) == [
        ("write_to_file", {"path": "a.md", "content": content}),
        ("write_to_file", {"path": "b.md", "content": "second"}),
    ]


@pytest.mark.req("FMT-03")
def test_an_answer_that_ends_after_an_example_in_a_value_is_cut_off(read: Read) -> None:
    message = "<write_to_file>\n<path>a</path>\n<content>\n" + write("x") + "\nAnd then"
    events = read(message)
    assert not calls(events)
    assert isinstance(events[-1], CallCut)


@pytest.mark.req("FMT-03")
@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("<write_to_file>\n<path>a</path>\n<content>\nhalf", {"path": "a", "content": "half"}),
        ("<write_to_file>\n<path>a</path>\n<content>\nhalf\n</cont", None),
        ("<write_to_file>\n<path>a</path>\n<content>\nall\n</content>\n", None),
        ("<write_to_file>\n<path>a</path>\n<content>\nall\n</content>\n</write_to_fil", None),
        ("<read_file>\n<path>sr", {"path": "sr"}),
        ("<read_file>\n", {}),
        ("<read_file>\n<pat", {}),
    ],
)
def test_a_call_that_was_cut_off_does_not_run(
    read: Read, message: str, arguments: JSONObject | None
) -> None:
    cut = read(message)[-1]
    assert isinstance(cut, CallCut)
    assert "was not run" in cut.problem
    assert arguments is None or cut.call.arguments == arguments


@pytest.mark.req("FMT-03")
def test_a_read_only_call_with_all_it_needs_runs_without_its_closing_tag(read: Read) -> None:
    for end in ("", "\n", "\n</read_fi"):
        events = read(f"<read_file>\n<path>a</path>{end}")
        assert calls(events) == [("read_file", {"path": "a"})]
        assert text(events) == ""


@pytest.mark.req("FMT-03")
def test_an_open_call_is_cut_off_when_the_answer_hit_its_length(read: Read) -> None:
    events = read("<read_file>\n<path>a</path>\n", finish="length")
    assert isinstance(events[-1], CallCut)


@pytest.mark.req("FMT-01")
def test_an_unclosed_read_does_not_swallow_the_call_after_it(read: Read) -> None:
    events = read("<read_file>\n<path>a</path>\n<list_files>\n<path>.</path>\n</list_files>")
    assert calls(events) == [("read_file", {"path": "a"}), ("list_files", {"path": "."})]


@pytest.mark.req("FMT-03")
def test_an_unclosed_call_never_takes_the_next_one_for_a_part_of_its_value(read: Read) -> None:
    unclosed = write("x").removesuffix("\n</write_to_file>")
    events = read(f"{unclosed}\n{write('y', 'b.md')}")
    assert ("write_to_file", "a.md") not in [(n, a["path"]) for n, a in calls(events)]
    reads = "<read_file>\n<path>a</path>\n" + READ.replace("a<", "b<")
    assert [a["path"] for _, a in calls(read(reads))] == ["a", "b"]


@pytest.mark.req("FMT-01")
def test_a_missing_closing_tag_of_a_parameter_is_made_up_for(read: Read) -> None:
    first = "<read_file>\n<path>a\n</read_file>"
    assert calls(read(first)) == [("read_file", {"path": "a"})]
    events = read(f"{first}\nNow:\n{READ}")
    assert calls(events) == [("read_file", {"path": "a"}), ("read_file", {"path": "a"})]
    assert text(events).strip() == "Now:"


@pytest.mark.req("FMT-03")
@pytest.mark.parametrize(
    "message",
    [
        f"Maybe <think>{READ}</think> not.",
        f"<thinking>one <think>two</think> {READ} three</thinking>",
        f"<think>never closed {READ}",
        f"Write ``{READ}`` or `{READ}` to read.".replace("\n", ""),
        f"```xml\n{READ}\n```\nThat is how.",
        f"```\n{READ}\n```\n{READ.replace('read_file', 'none')}",
        f"~~~\nsome code\n{READ}\n~~~",
        f"````\n```\n{READ}\n```\n````",
        f"```xml\n{READ}\nmore\n```",
        "<READ_FILE><PATH>a</PATH></READ_FILE>",
        '<read_file path="a"></read_file >',
        "<read_file/> and <read_file> <b>now</b>",
        "&lt;read_file&gt;",
    ],
)
def test_what_was_not_surely_asked_for_does_not_run(read: Read, message: str) -> None:
    for cuts in ((), range(1, len(message))):
        events = read(message, cuts)
        assert not calls(events)
        assert not any(isinstance(event, CallMalformed) for event in events)


@pytest.mark.req("FMT-03")
def test_an_example_in_a_fence_stays_text_to_the_letter(read: Read) -> None:
    message = f"Like so:\n```xml\n{READ}\n```\nThat is how."
    assert text(read(message)) == message


@pytest.mark.req("FMT-03")
@pytest.mark.parametrize(
    "message",
    [
        f"Reading:\n```xml\n{READ}\n```",
        f"```xml\n{READ}\n```\n\n",
        f"```\n\n{READ}\n",
        f"~~~~tool\n{READ}\n~~~~\n",
        f"```xml\n<function_calls>\n{READ}\n</function_calls>\n```",
    ],
)
def test_a_fence_that_holds_only_a_call_and_ends_the_message_is_dropped(
    read: Read, message: str
) -> None:
    events = read(message)
    assert calls(events) == [("read_file", {"path": "a"})]
    assert "`" not in text(events)
    assert isinstance(read(message, finish="length")[-1], CallCut)


@pytest.mark.req("FMT-03")
def test_a_real_call_after_a_fenced_one_makes_the_fence_an_example(read: Read) -> None:
    fence = "```\n<list_files>\n<path>.</path>\n</list_files>\n```\n"
    events = read(fence + READ)
    assert calls(events) == [("read_file", {"path": "a"})]
    assert text(events) == fence


@pytest.mark.req("FMT-02")
def test_thinking_is_told_apart_however_it_is_closed(read: Read) -> None:
    events = read("<think>a</thinking>b</think>c<thinking>d</think>e")
    assert (text(events), thoughts(events)) == ("bce", "ad")
    events = read(f"<think>I could <think> more</think>\n{READ}")
    assert calls(events) == [("read_file", {"path": "a"})]
    assert thoughts(events) == "I could <think> more</think>"


@pytest.mark.req("FMT-01")
def test_scalars_become_what_the_schema_says(read: Read) -> None:
    message = (
        "<list_files><path> src </path>\n<recursive> True </recursive></list_files>\n"
        "<read_file><path>a</path><start_line>3</start_line></read_file>\n"
        "<execute_command><command>ls</command><timeout>1.5</timeout></execute_command>"
    )
    assert calls(read(message)) == [
        ("list_files", {"path": "src", "recursive": True}),
        ("read_file", {"path": "a", "start_line": 3}),
        ("execute_command", {"command": "ls", "timeout": 1.5}),
    ]


@pytest.mark.req("FMT-03")
@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("<read_file></read_file>", "required parameter 'path'"),
        ("<read_file><path>a</path><start_line>x</start_line></read_file>", "whole number"),
        ("<list_files><path>a</path><recursive>x</recursive></list_files>", "true or false"),
        (
            "<use_mcp_tool><server_name>s</server_name><tool_name>t</tool_name>"
            '<arguments>{"a": NaN}</arguments></use_mcp_tool>',
            "NaN",
        ),
        (
            "<use_mcp_tool><server_name>s</server_name><tool_name>t</tool_name>"
            '<arguments>{"a": 1, "a": 2}</arguments></use_mcp_tool>',
            "twice",
        ),
        (
            "<execute_command><command>ls</command><cwd>/</cwd></execute_command>",
            "'cwd' is no parameter",
        ),
        ("<read_file><path>a</path>\n<path>b</path></read_file>", "given twice"),
    ],
)
def test_a_malformed_call_is_answered_with_the_right_form(
    read: Read, message: str, words: str
) -> None:
    malformed = read(message)[-1]
    assert isinstance(malformed, CallMalformed)
    assert words in malformed.problem
    assert f"<{malformed.call.name}>\n" in malformed.problem


@pytest.mark.req("FMT-03")
def test_an_unknown_parameter_of_a_read_only_tool_is_left_out(read: Read) -> None:
    events = read("<read_file>\n<path>a</path>\n<encoding>utf-8</encoding>\n</read_file>")
    assert calls(events) == [("read_file", {"path": "a"})]


@pytest.mark.req("FMT-03")
def test_bad_options_of_a_question_are_left_out_with_a_warning(read: Read) -> None:
    message = (
        "<ask_followup_question><question>Q?</question>"
        "<options>[A, B]</options></ask_followup_question>"
    )
    event = read(message)[-1]
    assert isinstance(event, CallParsed)
    assert event.call.arguments == {"question": "Q?"}
    assert "'options'" in event.warning


@pytest.mark.req("FMT-01")
def test_a_path_may_be_called_file_path(read: Read) -> None:
    events = read("<read_file><file_path>a</file_path></read_file>")
    assert calls(events) == [("read_file", {"path": "a"})]


@pytest.mark.req("FMT-02")
def test_drafts_show_a_long_value_as_it_grows_under_the_id_of_the_call(read: Read) -> None:
    body = "line\n" * 100
    message = write(body)
    events = read(message, range(1, len(message)))
    drafts = [event for event in events if isinstance(event, CallDraft)]
    call = events[-1]
    assert isinstance(call, CallParsed)
    assert drafts[0] == CallDraft(call.call.id, "write_to_file")
    assert {draft.call_id for draft in drafts} == {call.call.id}
    assert [d.text for d in drafts if d.parameter == "content"] == [body]


@pytest.mark.req("FMT-02")
def test_text_is_given_out_as_soon_as_it_cannot_become_a_tag() -> None:
    parser = XmlFormat().parser(SAMPLE_TOOLS)
    pieces = ("a <", "b> c <read", "_fil", "x")
    given = [text(list(parser.feed(piece))) for piece in pieces]
    assert given == [
        "a ",
        "<b> c ",
        "",
        "<read_filx",
    ]


@pytest.mark.req("FMT-02")
def test_calls_that_are_never_closed_are_read_anew_a_few_times_only() -> None:
    parser = XmlFormat().parser(SAMPLE_TOOLS)
    unclosed = 200
    events = [*parser.feed("<read_file><path>x</path>" * unclosed), *parser.close()]
    assert len(events) < 10 * unclosed
