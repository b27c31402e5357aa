"""What of an answer is let out, and when."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.generator import Piece
from hackamore.local.stops import Pieces

pytestmark = pytest.mark.req("UX-01")


def _run(parts: list[bytes], stop: tuple[str, ...]) -> list[Piece]:
    pieces = Pieces(stop)
    out: list[Piece] = []
    for position, part in enumerate(parts):
        out += pieces.add(part, 1.0, position)
        if pieces.stopped:
            break
    return [*out, *pieces.finish()]


def _cut(text: str, cuts: list[int]) -> list[bytes]:
    data = text.encode()
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in pairwise(edges)]


def test_the_earliest_of_several_stops_counts() -> None:
    assert "".join(p.text for p in _run([b"one END two STOP"], ("STOP", "END"))) == "one "


def test_text_that_cannot_be_a_stop_comes_at_once() -> None:
    pieces = Pieces(("\n```",))
    assert [p.text for p in pieces.add(b"x = 1", 1.0, 0)] == ["x = 1"]
    assert [p.text for p in pieces.add(b"\n", 1.0, 1)] == []
    assert [p.text for p in pieces.add(b"y", 1.0, 2)] == ["\n", "y"]


def test_a_character_in_two_tokens_comes_whole() -> None:
    umlaut = "ü".encode()
    assert [p.text for p in _run([umlaut[:1], umlaut[1:]], ())] == ["", "ü"]


def test_half_a_character_at_the_end_is_replaced() -> None:
    assert "".join(p.text for p in _run(["ü".encode()[:1]], ())) == "\N{REPLACEMENT CHARACTER}"


@given(
    st.text("ab`\nü", max_size=30),
    st.lists(st.integers(0, 90)),
    st.lists(st.text("ab`\n", min_size=1, max_size=4), max_size=3),
)
def test_any_cutting_gives_the_text_before_the_earliest_stop(
    text: str, cuts: list[int], stop: list[str]
) -> None:
    out = _run(_cut(text, cuts), tuple(stop))
    hits = [text.find(word) for word in stop if word in text]
    got = "".join(piece.text for piece in out)
    # Of stops that end in different tokens, the one that is whole first ends the answer.
    assert text.startswith(got)
    if not hits:
        assert got == text
    else:
        assert len(got) in {text.find(word) for word in stop if word in text}
    assert [piece.position for piece in out] == sorted(piece.position for piece in out)
