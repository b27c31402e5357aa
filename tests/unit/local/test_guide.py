"""Answers that keep to a form: text, calls, and what looks like one."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.generator import CallGrammar, CallShape
from hackamore.local.guide import Guide

pytestmark = pytest.mark.req("LC-05")

_ADD = CallShape(
    "add",
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    },
)
_ADD_ALL = CallShape(
    "add_all", {"type": "object", "properties": {"flag": {"type": "boolean"}}, "required": []}
)
_TOOLS = (_ADD, _ADD_ALL)
_CALL = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": -2}}\n</tool_call>'


def _follow(guide: Guide, text: str) -> None:
    for letter in text:
        assert guide.allows(letter.encode(), is_end=False), letter
        assert guide.add(letter.encode())


def test_a_call_may_come_after_text_and_ends_the_answer() -> None:
    guide = Guide(CallGrammar(_TOOLS))
    _follow(guide, f"I shall add. {_CALL}")
    assert guide.over


def test_text_may_end_at_any_time_and_a_call_may_not() -> None:
    guide = Guide(CallGrammar(_TOOLS))
    assert guide.allows(b"", is_end=True)
    _follow(guide, "Three.")
    assert guide.allows(b"", is_end=True)
    _follow(guide, _CALL[:40])
    assert not guide.allows(b"", is_end=True)
    assert not guide.over


def test_a_call_that_is_required_begins_at_once() -> None:
    guide = Guide(CallGrammar((_ADD,), required=True))
    assert guide.forced() == b'<tool_call>\n{"name": "add", "arguments": {"a": '
    assert not guide.allows(b"Well", is_end=False)


def test_only_names_that_are_offered_may_come() -> None:
    guide = Guide(CallGrammar(_TOOLS, required=True))
    guide.add(guide.forced())
    assert guide.allows(b'"add', is_end=False)
    assert not guide.allows(b'"sub', is_end=False)
    guide.add(b'"add')
    assert guide.allows(b"_", is_end=False)
    assert guide.allows(b'", "', is_end=False)


@pytest.mark.parametrize(
    "sign",
    [
        '{"name"',
        '```json\n{"name"',
        ' [{"function"',
        "<tools>",
        "<tool_",
        "<function",
        '```\n{ "tool"',
    ],
)
def test_what_looks_like_a_call_is_begun_anew_as_one(sign: str) -> None:
    guide = Guide(CallGrammar(_TOOLS))
    for letter in sign[:-1]:
        assert guide.add(letter.encode())
        assert guide.undecided
    assert not guide.add(sign[-1].encode())
    guide.begin_call()
    _follow(guide, _CALL)
    assert guide.over


@pytest.mark.parametrize("text", ['Look: {"name": 1}', "```python\nprint(1)\n```", '{"city": 1}'])
def test_other_code_is_text(text: str) -> None:
    guide = Guide(CallGrammar(_TOOLS))
    _follow(guide, text + " and more words, so that nothing is held back any longer.")
    assert not guide.undecided


@pytest.mark.parametrize("sign", ["<tool_call>", '{"name"', "so <tool_call>"])
def test_without_tools_no_call_may_begin(sign: str) -> None:
    guide = Guide(CallGrammar())
    for letter in sign[:-1]:
        if not guide.allows(letter.encode(), is_end=False):
            return
        guide.add(letter.encode())
    assert not guide.allows(sign[-1].encode(), is_end=False)


def test_a_marker_of_the_chat_is_no_text_of_a_value() -> None:
    shape = CallShape("say", {"type": "object", "properties": {"x": {"type": "string"}}})
    guide = Guide(CallGrammar((shape,), required=True))
    guide.add(guide.forced())
    guide.add(b'"x": "')
    assert guide.allows(b"<|", is_end=False)
    assert not guide.allows(b"<|im_start|>", is_end=False)


@given(st.randoms(use_true_random=False))
def test_whatever_is_chosen_a_required_call_is_valid(chance: Any) -> None:
    guide, said = Guide(CallGrammar(_TOOLS, required=True)), b""
    while not guide.over:
        ways = [bytes([byte]) for byte in range(256) if guide.allows(bytes([byte]), is_end=False)]
        piece = guide.forced() or chance.choice(ways)
        assert guide.add(piece)
        said += piece
    call = json.loads(said.decode().removeprefix("<tool_call>").removesuffix("</tool_call>"))
    assert set(call) == {"name", "arguments"}
    if call["name"] == "add":
        assert {name: type(value) for name, value in call["arguments"].items()} == {
            "a": int,
            "b": int,
        }
    else:
        assert call["arguments"] in ({}, {"flag": True}, {"flag": False})
