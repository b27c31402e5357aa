"""The XML format, case by case: whole, by single characters, and cut anywhere."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.format import (
    CallCut,
    CallDraft,
    CallMalformed,
    CallParsed,
    FormatEvent,
    TextOut,
    ThinkingOut,
)

Read = Callable[..., list[FormatEvent]]
_FILE = Path(__file__).parents[2] / "cases" / "xml_format.json"
CASES: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
MESSAGES = st.sampled_from([case["message"] for case in CASES])


def blocks(events: list[FormatEvent]) -> list[dict[str, Any]]:
    """Write events as the cases write them."""
    found: list[dict[str, Any]] = []
    for event in events:
        match event:
            case TextOut(text):
                if text.strip():
                    found.append({"type": "text", "content": text.strip()})
            case ThinkingOut() | CallDraft():
                pass
            case CallParsed(call) | CallMalformed(call) | CallCut(call):
                params = {
                    name: value if isinstance(value, str) else json.dumps(value)
                    for name, value in call.arguments.items()
                }
                partial = isinstance(event, CallCut)
                found.append(
                    {"type": "tool_use", "name": call.name, "params": params, "partial": partial}
                )
    return found


def expected(case: dict[str, Any]) -> list[dict[str, Any]]:
    """A text's `partial` says only that it came last; it is not compared."""
    return [
        {"type": "text", "content": block["content"]} if block["type"] == "text" else block
        for block in case["expected"]
    ]


@pytest.mark.req("FMT-01")
@pytest.mark.req("FMT-05")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_reads_as_it_should_whole_and_by_single_characters(
    case: dict[str, Any], read: Read
) -> None:
    message = case["message"]
    assert blocks(read(message)) == expected(case)
    assert blocks(read(message, range(1, len(message)))) == expected(case)


@pytest.mark.req("FMT-02")
@given(data=st.data(), message=MESSAGES)
def test_any_cutting_gives_the_same_events(data: st.DataObject, message: str, read: Read) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(message))))
    assert read(message, cuts) == read(message)


FRAGMENTS = st.sampled_from(
    [
        *("<read_file>", "</read_file>", "<path>", "</path>", "<write_to_file>", "<content>"),
        *("</content>", "</write_to_file>", "<think>", "</think>", "</thinking>", "<![CDATA["),
        *("]]>", "```", "````", "```xml\n", "~~~", "\n```\n", "`", "\n", "\r\n", " ", "a", "<"),
        *("</", "<tool_calls>", "</tool_calls>", "<function_calls>", "\n```", "x.py", "<b>x</b>"),
        *("<read_file>\n<path>a</path>\n</read_file>", "<list_files>", "</list_files>", "]]"),
        *("<write_to_file><path>p</path><content>", "</content></write_to_file>", "<file_path>"),
    ]
)
TANGLES = st.lists(FRAGMENTS, max_size=24).map("".join)


@pytest.mark.req("FMT-02")
@given(text=TANGLES, data=st.data(), finish=st.sampled_from(["stop", "length"]))
def test_no_tangle_of_tags_breaks_the_parser_or_depends_on_the_cutting(
    text: str, data: st.DataObject, finish: str, read: Read
) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(text))))
    whole = read(text, finish=finish)
    assert read(text, cuts, finish) == whole
    assert read(text, range(1, len(text)), finish) == whole


@pytest.mark.req("FMT-03")
@given(text=TANGLES)
def test_a_write_never_runs_when_the_answer_was_cut_inside_it(text: str, read: Read) -> None:
    opening = "<write_to_file>\n<path>a</path>\n<content>\n"
    closed = "</content></write_to_file>" in text.replace("\n", "").replace(" ", "")
    events = read(opening + text.replace("\r", ""), finish="length")
    runs = [event for event in events if isinstance(event, CallParsed)]
    assert closed or not any(event.call.name == "write_to_file" for event in runs)
