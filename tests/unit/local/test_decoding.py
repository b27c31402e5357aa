"""Greedy answers: what is read again, what drafts change, what a branch gives."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hackamore.core.generator import CallGrammar, CallShape
from hackamore.local.choice import Choice, Stopped
from hackamore.local.decoding import Decoder, Overflow
from hackamore.local.guide import Guide

pytestmark = pytest.mark.req("UX-01")

_Model = Callable[..., Any]


def _alphabet(memory: str) -> str:
    """Continue with the next letter, up to z."""
    return chr(ord(memory[-1]) + 1) if memory[-1] < "z" else ""


def _nothing(_memory: str) -> str:
    """End at once."""
    return ""


def _text(choices: Iterable[Choice]) -> str:
    return "".join(chr(choice.token) for choice in choices if choice.token)


def _tokens(text: str) -> list[int]:
    return [ord(letter) for letter in text]


def test_an_answer_goes_on_to_its_end(letters: _Model) -> None:
    assert _text(Decoder(letters(_alphabet)).generate(_tokens("tu"), 50)) == "vwxyz"


def test_an_answer_stops_at_its_length(letters: _Model) -> None:
    assert _text(Decoder(letters(_alphabet)).generate(_tokens("tu"), 3)) == "vwx"


def test_what_two_prompts_begin_with_is_read_once_in_whole_slices(letters: _Model) -> None:
    model = letters(_alphabet)
    decoder = Decoder(model, drafts=False)
    list(decoder.generate(_tokens("x" * 150 + "a"), 1))
    model.read = 0
    list(decoder.generate(_tokens("x" * 150 + "b"), 1))
    assert decoder.cached == 128
    assert model.read == 23


def test_a_conversation_that_goes_on_keeps_the_answer_too(letters: _Model) -> None:
    decoder = Decoder(letters(_alphabet))
    answer = _text(decoder.generate(_tokens("a" * 70 + "s"), 50))
    list(decoder.generate(_tokens("a" * 70 + "s" + answer[:4] + "!"), 1))
    assert decoder.cached == 75


@given(st.lists(st.integers(1, 200), min_size=1, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_prompt_is_read_in_the_same_slices_whatever_came_before(
    letters: _Model, lengths: list[int]
) -> None:
    model = letters(_nothing)
    decoder = Decoder(model)
    for length in lengths:
        starts: list[int] = []
        model.starts = starts
        list(decoder.generate(_tokens("q" * length + "!"), 1))
        assert all(start % 64 == 0 for start in starts)


def test_a_branch_takes_the_runner_up_and_goes_on(letters: _Model) -> None:
    decoder = Decoder(letters(_alphabet))
    list(decoder.generate(_tokens("stu"), 50))
    assert _text(decoder.branch(1, 50)) == "xyz"
    assert _text(decoder.branch(0, 50)) == "wxyz"
    assert decoder.cached == 3


def test_a_branch_beyond_the_answer_is_an_error(letters: _Model) -> None:
    decoder = Decoder(letters(_alphabet))
    list(decoder.generate(_tokens("y"), 50))
    with pytest.raises(IndexError):
        list(decoder.branch(9, 50))


def test_a_prompt_that_fills_the_context_is_refused(letters: _Model) -> None:
    with pytest.raises(Overflow):
        list(Decoder(letters(_alphabet, context=8)).generate(_tokens("abcdefgh"), 50))


def test_an_answer_ends_where_the_context_does(letters: _Model) -> None:
    assert _text(Decoder(letters(_alphabet, context=8)).generate(_tokens("abc"), 50)) == "defgh"


def test_after_a_stop_in_the_prompt_the_next_answer_is_right(letters: _Model) -> None:
    model = letters(_alphabet)
    decoder = Decoder(model)
    model.stop_after = 2
    with pytest.raises(Stopped):
        list(decoder.generate(_tokens("a" * 200 + "v"), 50))
    model.stop_after = None
    assert _text(decoder.generate(_tokens("a" * 200 + "v"), 50)) == "wxyz"
    assert decoder.cached == 128


def test_drafts_need_fewer_steps(letters: _Model) -> None:
    text = "the quick brown fox jumps over it. "

    def again(memory: str) -> str:
        return text[len(memory) % len(text)]

    batches: list[int] = []
    for drafts in (False, True):
        model = letters(again)
        list(Decoder(model, drafts=drafts).generate(_tokens(text), 35))
        batches.append(model.batches)
    assert batches[1] < batches[0] / 3


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text("ab", min_size=1, max_size=40),
    st.text("ab", min_size=1, max_size=12),
    st.integers(0, 30),
)
def test_drafts_never_change_the_answer(
    letters: _Model, prompt: str, pattern: str, at: int
) -> None:
    def rule(memory: str) -> str:
        return pattern[sum(map(ord, memory[-3:])) * len(memory) % len(pattern)]

    outputs: list[tuple[str, str]] = []
    for drafts in (False, True):
        decoder = Decoder(letters(rule), drafts=drafts)
        answer = list(decoder.generate(_tokens(prompt), 31))
        outputs.append((_text(answer), _text(decoder.branch(at, 20))))
    assert outputs[0] == outputs[1]


_PAINT = CallShape(
    "paint",
    {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "blue"]}, "twice": {"type": "boolean"}},
        "required": ["colour", "twice"],
    },
)


def _says(answer: str) -> Callable[[str], str]:
    """Say `answer` after the prompt's "?", and a call from its sign on; then end."""

    def rule(memory: str) -> str:
        return answer[len(memory) - memory.index("?") - 1 :][:1]

    return rule


@pytest.mark.req("LC-05")
@pytest.mark.parametrize("required", [True, False])
def test_a_guided_answer_ends_with_its_call(letters: _Model, required: bool) -> None:
    arguments = '{"colour": "blue", "twice": true}'
    call = f'<tool_call>\n{{"name": "paint", "arguments": {arguments}}}\n</tool_call>'
    decoder = Decoder(letters(_says(call), context=400))
    guide = Guide(CallGrammar((_PAINT,), required=required))
    choices = list(decoder.guided(_tokens("?"), 300, guide))
    assert _text(choices) == call
    assert choices[-1].token == 0


@pytest.mark.req("LC-05")
def test_an_answer_that_looks_like_a_call_is_begun_anew(letters: _Model) -> None:
    model = letters(_says('{"name": "paint"}' + "x" * 300))
    choices = Decoder(model).guided(_tokens("?"), 300, Guide(CallGrammar((_PAINT,))))
    text = _text(choices)
    assert text.startswith('<tool_call>\n{"name": "paint", "arguments": {"colour": ')
    assert text.endswith("}\n</tool_call>")
    assert model.memory.startswith("?<tool_call>")


@pytest.mark.req("LC-05")
def test_plain_text_may_come_from_a_guide_and_what_was_held_is_given(letters: _Model) -> None:
    choices = Decoder(letters(_says("{1} is a set."))).guided(
        _tokens("?"), 50, Guide(CallGrammar((_PAINT,)))
    )
    assert _text(choices) == "{1} is a set."


@pytest.mark.req("LC-05")
def test_a_guided_answer_stops_at_its_length_and_cannot_be_branched_from(letters: _Model) -> None:
    decoder = Decoder(letters(_alphabet))
    guide = Guide(CallGrammar((_PAINT,), required=True))
    assert len(list(decoder.guided(_tokens("?"), 20, guide))) == 20
    assert not guide.over
    with pytest.raises(IndexError):
        list(decoder.branch(3, 5))


@pytest.mark.req("LC-05")
def test_without_tools_no_call_is_made(letters: _Model) -> None:
    choices = Decoder(letters(_says("<tool_call>{}"))).guided(_tokens("?"), 9, Guide(CallGrammar()))
    assert "<" not in _text(choices)[:1]
