"""Where candidates branch off."""

import pytest

from hackamore.agent.recipes.writer import Writer, branch_points
from hackamore.core.generator import Piece, Turn
from hackamore.testing.scripted_generator import ScriptedGenerator

pytestmark = [pytest.mark.anyio, pytest.mark.req("AGT-16")]


def _pieces(*parts: tuple[str, float]) -> list[Piece]:
    return [Piece(text, margin, at) for at, (text, margin) in enumerate(parts)]


def test_the_least_sure_token_comes_first() -> None:
    assert branch_points(_pieces(("a", 3), (" =", 9), (" 1", 0.5)), is_python=True) == [2, 0, 1]


def test_space_comments_and_docstrings_are_no_place_to_branch() -> None:
    pieces = _pieces(
        ('"""', 1), ("Doc", 1), ('."""', 1), ("\n", 1), ("x", 1), (" =", 1), (' "s"', 1), (" #", 1),
        (" why", 1), ("\n", 1),
    )  # fmt: skip
    assert branch_points(pieces, is_python=True) == [4, 5, 6]


def test_half_a_file_still_has_places_to_branch() -> None:
    assert branch_points(_pieces(("f(", 1), ('"""', 2)), is_python=True) == [0, 1]


async def test_candidates_are_whole_files() -> None:
    generator = ScriptedGenerator(["a = 1 + 2"], branches=["a = 1 * 2"], unsure={"+": 0.1})
    shown: list[str] = []
    writer = Writer(generator, shown.append, lambda _end: None, 100)
    candidates = writer.candidates([Turn("user", "?")], "```\n", is_python=True)
    assert [await anext(candidates), await anext(candidates)] == ["a = 1 + 2", "a = 1 * 2"]
    assert generator.branched_at == [3]
    assert "".join(shown) == "a = 1 + 2 * 2"
    await candidates.aclose()
