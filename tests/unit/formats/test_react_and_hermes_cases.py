"""The ReAct and Hermes formats, case by case: whole, by single characters, and cut anywhere."""

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
_CASES = Path(__file__).parents[2] / "cases"


def load(form: str) -> list[tuple[str, dict[str, Any]]]:
    cases = json.loads((_CASES / f"{form}_format.json").read_text(encoding="utf-8"))
    return [(form, case) for case in cases]


CASES = [*load("react"), *load("hermes")]
HERMES = [case for form, case in CASES if form == "hermes"]
MESSAGES = st.sampled_from([(form, case["message"]) for form, case in CASES])
FINISHES = st.sampled_from(["stop", "length"])


def blocks(events: list[FormatEvent]) -> list[dict[str, Any]]:
    """Write events as the cases write them."""
    found: list[dict[str, Any]] = []
    for event in events:
        match event:
            case TextOut(text) | ThinkingOut(text):
                kind = "text" if isinstance(event, TextOut) else "thinking"
                if text.strip():
                    found.append({"type": kind, "content": text.strip()})
            case CallDraft():
                pass
            case CallParsed(call):
                arguments = dict(call.arguments)
                found.append({"type": "call", "name": call.name, "arguments": arguments})
            case CallMalformed(call, problem):
                found.append({"type": "malformed", "name": call.name, "words": problem})
            case CallCut(call):
                found.append({"type": "cut", "name": call.name})
    return found


def as_expected(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> bool:
    """Of the words for the model, the cases name only what matters."""
    if len(found) != len(expected):
        return False
    return all(
        {**block, "words": ""} == {**want, "words": ""}
        and want.get("words", "") in block.get("words", "")
        for block, want in zip(found, expected, strict=True)
    )


@pytest.mark.req("FMT-01")
@pytest.mark.req("FMT-03")
@pytest.mark.req("FMT-04")
@pytest.mark.req("FMT-05")
@pytest.mark.parametrize(("form", "case"), CASES, ids=[case["id"] for _, case in CASES])
def test_a_case_reads_as_it_should_whole_and_by_single_characters(
    form: str, case: dict[str, Any], read: Read
) -> None:
    message, finish = case["message"], case["finish"]
    whole = read(message, finish=finish, form=form)
    assert as_expected(blocks(whole), case["expected"]), blocks(whole)
    assert read(message, range(1, len(message)), finish, form) == whole


@pytest.mark.req("FMT-01")
@pytest.mark.parametrize("case", HERMES, ids=[case["id"] for case in HERMES])
def test_auto_understands_the_same(case: dict[str, Any], read: Read) -> None:
    message, finish = case["message"], case["finish"]
    assert read(message, finish=finish, form="auto") == read(message, finish=finish, form="hermes")


@pytest.mark.req("FMT-02")
@given(data=st.data(), answer=MESSAGES, finish=FINISHES)
def test_any_cutting_gives_the_same_events(
    data: st.DataObject, answer: tuple[str, str], finish: str, read: Read
) -> None:
    form, message = answer
    cuts = data.draw(st.lists(st.integers(0, len(message))))
    assert read(message, cuts, finish, form) == read(message, finish=finish, form=form)


@pytest.mark.req("FMT-03")
@given(data=st.data(), answer=MESSAGES, finish=FINISHES)
def test_what_is_left_out_at_the_end_never_makes_another_call_run(
    data: st.DataObject, answer: tuple[str, str], finish: str, read: Read
) -> None:
    form, message = answer
    end = data.draw(st.integers(0, len(message)))
    whole = [e.call for e in read(message, form=form) if isinstance(e, CallParsed)]
    part = read(message[:end], finish="length", form=form)
    calls = [event.call for event in part if isinstance(event, CallParsed)]
    assert calls == whole[: len(calls)]


PIECES = st.sampled_from(
    [
        *("Thought:", "Action:", "Action Input:", "Observation:", "FinalAnswer:", "\n", " ", "**"),
        *("Final Answer\uff1a", "Action\uff1a", "**Action**:", "**Action:", "Act", "None", "\r\n"),
        *("read_file", "write_to_file", "fly", "(", ")", "{", "}", "[", "]", "\uff08", "\uff09"),
        *(
            '"path"',
            ": ",
            '"a"',
            "'",
            '"',
            '"""',
            "\\",
            "\\n",
            ",",
            "\uff0c",
            "=",
            "path=",
            "a",
            "r",
        ),
        *("```", "~~~", "`", "```json\n", "<think>", "</think>", 'read_file({"path": "a"})'),
        *("<tool_call>", "</tool_call>", "[TOOL_CALLS]", "read_file[ARGS]", '"name": "read_file"'),
        *('{"name": "read_file", "arguments": {"path": "a"}}', '"arguments": ', "[/TOOL_CALLS]"),
        *("<function=read_file>", "</function>", "<parameter=path>", "</parameter>", "<function="),
        *('<invoke name="read_file">', "</invoke>", '<parameter name="path">', "<read_file>"),
        *("<path>", "</path>", "</read_file>", "<function_calls>", "</function_calls>"),
    ]
)
TANGLES = st.lists(PIECES, max_size=24).map("".join)
FORMS = st.sampled_from(["react", "hermes", "auto"])


@pytest.mark.req("FMT-02")
@given(text=TANGLES, data=st.data(), finish=FINISHES, form=FORMS)
def test_no_tangle_breaks_a_parser_or_depends_on_the_cutting(
    text: str, data: st.DataObject, finish: str, form: str, read: Read
) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(text))))
    whole = read(text, finish=finish, form=form)
    assert read(text, cuts, finish, form) == whole
    assert read(text, range(1, len(text)), finish, form) == whole


@pytest.mark.req("FMT-02")
@given(text=st.text(), form=FORMS)
def test_any_text_can_be_read(text: str, form: str, read: Read) -> None:
    assert read(text, range(1, len(text)), form=form) == read(text, form=form)
