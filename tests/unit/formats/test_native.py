"""Native calls: put together from pieces as servers send them, and never run when cut off."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.errors import UsageError
from hackamore.core.format import CallCut, CallDraft, CallMalformed, CallParsed, FormatEvent
from hackamore.core.json import JSONObject
from hackamore.core.messages import user
from hackamore.core.model import CallPiece, FinishReason
from hackamore.formats.auto import AutoFormat
from hackamore.formats.json_draft import JsonDraft
from hackamore.formats.native import NativeFormat
from hackamore.formats.native_json import is_cut
from hackamore.formats.registry import get_format
from hackamore.testing.sample_tools import SAMPLE_TOOLS

X, Y = '{"path":"x"}', '{"path":"y"}'
READ = "<read_file><path>a</path></read_file>"


def read(
    pieces: Sequence[CallPiece], finish: FinishReason = "tool_calls"
) -> tuple[list[FormatEvent], list[FormatEvent]]:
    """Return the drafts and the calls."""
    parser = NativeFormat().parser(SAMPLE_TOOLS)
    drafts = [event for piece in pieces for event in parser.feed_call(piece)]
    return drafts, list(parser.close(finish))


def one(arguments: str, name: str = "write_to_file", finish: FinishReason = "stop") -> FormatEvent:
    (event,) = read([CallPiece(0, "call_1", name, arguments)], finish)[1]
    return event


def arguments_of(event: FormatEvent) -> JSONObject:
    assert isinstance(event, CallParsed)
    return event.call.arguments


@pytest.mark.req("FMT-01")
def test_pieces_of_two_calls_become_two_calls() -> None:
    pieces = [
        CallPiece(0, "a", "read_file", ""),
        CallPiece(1, "b", "list_files", '{"pa'),
        CallPiece(0, "", "", '{"path": "x"}'),
        CallPiece(1, "", "", 'th": "."}'),
    ]
    drafts, calls = read(pieces)
    assert [(e.call.id, e.call.arguments) for e in calls if isinstance(e, CallParsed)] == [
        ("a", {"path": "x"}),
        ("b", {"path": "."}),
    ]
    assert drafts[:2] == [CallDraft("a", "read_file"), CallDraft("b", "list_files")]


@pytest.mark.req("FMT-01")
@pytest.mark.parametrize(
    "pieces",
    [
        [CallPiece(0, "a", "read_file", X), CallPiece(0, "b", "read_file", Y)],
        [CallPiece(0, "", "read_file", X), CallPiece(0, "", "read_file", Y)],
        [CallPiece(-1, "a", "read_file", X), CallPiece(-1, "b", "read_file", Y)],
        [CallPiece(0, "a", "read_file", X), CallPiece(1, "a", "read_file", Y)],
        [
            CallPiece(0, "a", "read_file", '{"path"'),
            CallPiece(0, "a", "read_file", ':"x"}'),
            CallPiece(1, "b", "read_file", '{"path"'),
            CallPiece(1, "b", "read_file", ':"y"}'),
        ],
    ],
)
def test_sloppy_pieces_are_told_apart(pieces: list[CallPiece]) -> None:
    calls = read(pieces)[1]
    assert [arguments_of(event)["path"] for event in calls] == ["x", "y"]
    assert len({event.call.id for event in calls if isinstance(event, CallParsed)}) == 2


@pytest.mark.req("FMT-01")
def test_no_arguments_are_empty_arguments() -> None:
    event = one("", "unknown_tool")
    assert arguments_of(event) == {}


@pytest.mark.req("FMT-03")
@given(
    content=st.text(),
    cut=st.floats(0, 1, exclude_max=True),
    finish=st.sampled_from(["length", "stop", "tool_calls", "unknown"]),
)
def test_a_write_that_was_cut_off_never_runs(
    content: str, cut: float, finish: FinishReason
) -> None:
    whole = json.dumps({"path": "a", "content": content})
    event = one(whole[: 1 + int(cut * (len(whole) - 1))], finish=finish)
    assert isinstance(event, CallCut)
    assert "was not run" in event.problem


@pytest.mark.req("FMT-03")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ('{"path": "a", "path": "b", "content": ""}', "twice"),
        ('{"path": "a", "content": NaN}', "NaN"),
        ('["a"]', "must be a JSON object"),
        ("{bad}", "not valid JSON"),
        ('{"path": "a"}', "required parameter 'content'"),
        ('{"path": "a", "content": "x"}}', "not valid JSON"),
    ],
)
def test_broken_arguments_are_answered_with_the_reason(arguments: str, words: str) -> None:
    event = one(arguments)
    assert isinstance(event, CallMalformed)
    assert words in event.problem


@pytest.mark.req("FMT-03")
@pytest.mark.parametrize(
    "arguments",
    [
        '{"path": "a", "start_line": 3,}',
        "{'path': 'a', 'start_line': 3}",
        '{"path": "a", "start_line": 3}{"path": "a", "start_line": 3}',
        '"{\\"path\\": \\"a\\", \\"start_line\\": 3}"',
        '{"path": "a", "start_line": "3"}',
        '{"start_line": 3, "path": "a"',
    ],
)
def test_what_can_mean_one_thing_only_is_taken(arguments: str) -> None:
    assert arguments_of(one(arguments, "read_file")) == {"path": "a", "start_line": 3}


@pytest.mark.req("FMT-03")
def test_closing_brackets_are_made_up_for_only_where_nothing_is_changed() -> None:
    assert isinstance(one('{"path": "a"', "read_file"), CallParsed)
    assert isinstance(one('{"path": "a"', "read_file", "length"), CallCut)
    assert isinstance(one('{"path": "a', "read_file"), CallCut)
    assert isinstance(one('{"path": "a", "content": "x"'), CallCut)


@pytest.mark.req("FMT-02")
def test_a_cut_string_full_of_quotes_is_recognised_in_linear_time() -> None:
    assert is_cut('{"content": "' + '\\"' * 200_000)


@pytest.mark.req("FMT-02")
@given(
    values=st.dictionaries(st.text(max_size=4), st.text() | st.integers() | st.lists(st.text())),
    ascii_only=st.booleans(),
    size=st.integers(1, 9),
)
def test_drafts_show_the_texts_of_arguments_as_they_grow(
    values: dict[str, object], ascii_only: bool, size: int
) -> None:
    text = json.dumps(values, ensure_ascii=ascii_only)
    draft = JsonDraft()
    grown: dict[str, str] = {}
    for at in range(0, len(text), size):
        for key, more in draft.feed(text[at : at + size]):
            grown[key] = grown.get(key, "") + more
    texts = {key: value for key, value in values.items() if isinstance(value, str)}
    assert draft.values() == texts
    assert grown == {key: value for key, value in texts.items() if value}


@pytest.mark.req("FMT-02")
@given(text=st.text(alphabet='{}[]":,\\ud8Zn0 '))
def test_no_text_breaks_the_drafts(text: str) -> None:
    draft = JsonDraft()
    for character in text:
        draft.feed(character)
    "".join(draft.values().values()).encode()


@pytest.mark.req("FMT-01")
def test_auto_understands_both_and_tells_which() -> None:
    parser = AutoFormat().parser(SAMPLE_TOOLS)
    events = [
        *parser.feed(f"<think>hm</think>{READ}"),
        *parser.feed_call(CallPiece(0, "b", "list_files", '{"path": "."}')),
        *parser.close("tool_calls"),
    ]
    forms = [(e.form, e.call.name) for e in events if isinstance(e, CallParsed)]
    assert forms == [("xml", "read_file"), ("native", "list_files")]


@pytest.mark.req("FMT-01")
def test_native_and_auto_leave_prompt_and_history_alone() -> None:
    for name in ("native", "auto"):
        chosen = get_format(name)
        assert chosen.native
        assert chosen.name == name
        assert chosen.instructions(SAMPLE_TOOLS) == ""
        assert chosen.encode([user("a"), user("b")]) == (user("a"), user("b"))


@pytest.mark.req("FMT-01")
def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="Choose one of: auto, native, xml"):
        get_format("yaml")
