"""SEARCH/REPLACE: case by case, and that nothing changes but what the blocks say."""

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hackamore.core.codes import Code
from hackamore.core.errors import EditError
from hackamore.edits.lines import joined, lines_of
from hackamore.edits.search_replace import apply

_FILE = Path(__file__).parents[2] / "cases" / "search_replace.json"
CASES: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
CODES = {
    "empty SEARCH": Code.INVALID_REQUEST,
    "malformed": Code.INVALID_REQUEST,
    "ambiguous: 2 matches": Code.EDIT_AMBIGUOUS,
    "no match": Code.EDIT_NOT_FOUND,
}


def block(old: str, new: str) -> str:
    return f"------- SEARCH\n{old}=======\n{new}+++++++ REPLACE\n"


def refusal(text: str, diff: str) -> EditError:
    with pytest.raises(EditError) as caught:
        apply(text, diff)
    return caught.value


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_is_edited_or_refused_as_it_should_be(case: dict[str, Any]) -> None:
    if case["expected"] is not None:
        assert apply(case["original"], case["diff"]) == case["expected"]
    else:
        assert refusal(case["original"], case["diff"]).code == CODES[case["expected_error"]]


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    "diff",
    [
        "<<<<<<< SEARCH>\nb\n=======\nB\n>>>>>>> REPLACE>",
        "--- SEARCH\nb\n===\nB\n+++ REPLACE",
        "---------- SEARCH\nb\n==========\nB\n++++++++++ REPLACE\n",
        "------- SEARCH\nb\n=======\nB\n",
        "------- SEARCH\r\nb\r\n=======\r\nB\r\n+++++++ REPLACE\r\n",
        "Here it is:\n```\n------- SEARCH\nb\n=======\nB\n+++++++ REPLACE\n```\nDone.",
    ],
)
def test_markers_may_vary(diff: str) -> None:
    assert apply("a\nb\nc\n", diff) == "a\nB\nc\n"


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    ("diff", "words"),
    [
        ("B", "no SEARCH marker"),
        ("b\n=======\nB\n+++++++ REPLACE", "before any SEARCH"),
        ("------- SEARCH\nb\n=======\nB\n------- SEARCH\nc\n=======\nC\n+++++++ REPLACE", "second"),
        (block("b\n", "b\n"), "the same"),
        (block("\n", "x\n"), "only blank lines"),
        (block("\n \n", "x\n"), "only blank lines"),
        (block("", "x\n"), "is empty"),
    ],
)
def test_what_is_no_proper_block_is_refused(diff: str, words: str) -> None:
    error = refusal("a\nb\n\nc\n", diff)
    assert error.code == Code.INVALID_REQUEST
    assert words in error.message


@pytest.mark.req("TOOL-02")
def test_blocks_may_come_in_any_order_of_place() -> None:
    assert apply("a\nb\nc\n", block("c\n", "C\n") + block("a\n", "A\n")) == "A\nb\nC\n"


@pytest.mark.req("TOOL-02")
def test_what_an_earlier_block_wrote_is_not_searched() -> None:
    error = refusal("a\nb\n", block("a\n", "x\n") + block("x\n", "y\n"))
    assert error.code == Code.EDIT_NOT_FOUND
    error = refusal("a\nb\n", block("a\n", "x\n") + block("a\nb\n", "y\n"))
    assert "earlier block" in error.message
    assert apply("a\nb\n", block("a\n", "b\n") + block("b\n", "c\n")) == "b\nc\n"


@pytest.mark.req("TOOL-02")
def test_a_stricter_match_wins_over_looser_ones_elsewhere() -> None:
    assert apply("x = 1  \nx = 1\n  x = 1\n", block("x = 1\n", "y\n")) == "x = 1  \ny\n  x = 1\n"
    assert apply("  x = 1\nx = 1 \n", block("x = 1\n", "y\n")) == "  x = 1\ny\n"
    assert refusal("  x = 1\n x = 1\n", block("x = 1\n", "y\n")).code == Code.EDIT_AMBIGUOUS


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    ("text", "old", "new", "result"),
    [
        ("    a\n        b\n", "a\n    b\n", "a\n    b\n    c\n", "    a\n        b\n        c\n"),
        ("\tif a:\n\t\tb\n", "    if a:\n", "    if x:\n        y\n", "\tif x:\n\t\ty\n\t\tb\n"),
        ("  a\n    b\n", "\ta\n\t\tb\n", "\ta\n\t\tc\n\t\t\td\n", "  a\n    c\n      d\n"),
        ("        x\n        y\n", "    x\n    y\n", "    x\nz\n", "        x\n    z\n"),
        ("    a\n", "a\n", "    b\n", "    b\n"),
        ("  a\n\n  b\n", "a\n\nb\n", "a\n\nc\n", "  a\n\n  c\n"),
        (
            "def f():\n    pass\n",
            "def f():\npass\n",
            "def g():\nreturn\n",
            "def g():\n    return\n",
        ),
    ],
)
def test_new_lines_take_the_indentation_of_the_file(
    text: str, old: str, new: str, result: str
) -> None:
    assert apply(text, block(old, new)) == result


@pytest.mark.req("TOOL-02")
def test_lines_that_a_block_repeats_stay_as_the_file_has_them() -> None:
    text = "def f():   \n\treturn 1\t\nend  \n"
    assert apply(text, block("def f():\n\treturn 1\nend\n", "def f():\n\treturn 2\nend\n")) == (
        "def f():   \n\treturn 2\nend  \n"
    )


@pytest.mark.req("TOOL-02")
@pytest.mark.parametrize(
    ("text", "old", "new", "result"),
    [
        ("a\r\nb\nc\r\n", "b\n", "x\ny\n", "a\r\nx\ny\nc\r\n"),
        ("a\nb\r\nc\n", "b\n", "x\ny\n", "a\nx\r\ny\r\nc\n"),
        ("a\r\nb", "b\n", "x\ny\n", "a\r\nx\r\ny"),
        ("a\r\nb", "b\n", "b\nc\n", "a\r\nb\r\nc"),
        ("a\nb", "b\n", "", "a"),
        ("a", "a\n", "", ""),
        ("a", "a\n", "b\nc\n", "b\nc"),
        ("a\r\n", "a\n", "", ""),
        ("\ufeffa\n", "a\n", "b\n", "\ufeffb\n"),
        ("\ufeff", "", "b\n", "\ufeffb\n"),
        ("a\rb\r", "b\n", "x\ny\n", "a\rx\ry\r"),
        ("10%\r20%\nend\n", "end\n", "x\n", "10%\r20%\nx\n"),
    ],
)
def test_line_ends_and_the_final_one_are_kept(text: str, old: str, new: str, result: str) -> None:
    assert apply(text, block(old, new)) == result


@pytest.mark.req("TOOL-02")
def test_a_file_with_conflict_markers_can_be_edited() -> None:
    text = "x\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> up\ny\n"
    conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> up\n"
    assert apply(text, block(conflict, "c\n")) == "x\nc\ny\n"
    assert apply("c\n", block("c\n", conflict.replace("\n=", "\n\\="))) == conflict
    assert apply("Title\nText\n", block("Title\n", "Title\n=====\n")) == "Title\n=====\nText\n"
    assert apply("Old\n=======\n", block("Old\n=======\n", "New\n=======\n")) == "New\n=======\n"
    assert apply("\\=======\n", block("\\\\=======\n", "x\n")) == "x\n"


@pytest.mark.req("TOOL-02")
def test_an_empty_search_fills_an_empty_file_only_once() -> None:
    assert apply("", block("", "a\n\nb\n")) == "a\n\nb\n"
    assert refusal("", block("", "a\n") * 2).code == Code.INVALID_REQUEST
    assert refusal("\n", block("", "a\n")).code == Code.INVALID_REQUEST


@pytest.mark.req("TOOL-02")
def test_a_near_miss_shows_the_closest_lines_and_the_difference() -> None:
    text = "import os\n\ndef total(items):\n    return sum(items)\n"
    error = refusal(text, block("def total(items):\n    return max(items)\n", "x\n"))
    assert "    3 | def total(items):\n    4 |     return sum(items)\n" in error.hint
    assert "Line 4 is '    return sum(items)', but SEARCH has" in error.hint
    error = refusal(text, block("def totl(items):\n", "x\n"))
    assert "    3 | def total(items):" in error.hint
    error = refusal(text, block("    return sum(items)\nend\n", "x\n"))
    assert "the file ends at line 4" in error.hint
    assert "Nothing in the file" in refusal(text, block("zzzzzz\n", "x\n")).hint


@pytest.mark.req("TOOL-02")
def test_an_ambiguous_search_is_refused_with_the_line_numbers() -> None:
    error = refusal("a\nb\na\nb\n", block("a\nb\n", "c\n"))
    assert "2 places, at lines 1, 3" in error.message


@pytest.mark.req("TOOL-02")
def test_an_edit_that_leaves_the_file_as_it_is_is_refused() -> None:
    assert "changes nothing" in refusal("    a\n", block("a\n", "    a\n")).message


def escaped(line: str) -> str:
    return (f"\\{line}" if re.fullmatch(r"\\*={3,}\s*", line) else line) + "\n"


LINES = st.lists(st.text(alphabet="ab \t=-<>\\é", max_size=6), min_size=1, max_size=8)
ENDS = st.sampled_from(["\n", "\r\n"])


@pytest.mark.req("TOOL-02")
@given(text=st.text(alphabet="a \r\n\u2028\x0b"))
def test_a_text_cut_into_lines_and_joined_is_the_same(text: str) -> None:
    lines = lines_of(text)
    assert joined(lines, final_end=not lines or lines[-1].end != "") == text


@pytest.mark.req("TOOL-02")
@given(data=st.data(), lines=LINES, ends=st.lists(ENDS, min_size=8, max_size=8), new=LINES)
def test_a_block_does_what_it_says_and_leaves_the_rest_to_the_byte(
    data: st.DataObject, lines: list[str], ends: list[str], new: list[str]
) -> None:
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start + 1, len(lines)))
    old = lines[start:end]
    assume(any(line.strip() for line in old) and old != new)
    assume(sum(lines[at : at + len(old)] == old for at in range(len(lines))) == 1)
    wholes = [line + ending for line, ending in zip(lines, ends, strict=False)]
    text = "".join(wholes)
    assume(len(lines_of(text)) == len(lines))
    diff = block("".join(map(escaped, old)), "".join(map(escaped, new)))
    result = apply(text, diff)
    before, after = "".join(wholes[:start]), "".join(wholes[end:])
    assert result.startswith(before)
    assert result.endswith(after)
    middle = result[len(before) : len(result) - len(after)]
    assert [line.text for line in lines_of(middle)] == new


@pytest.mark.req("TOOL-02")
@given(text=st.text(alphabet="ab\n\r ="), diff=st.text(alphabet="ab\n=+-<> "), tail=st.text())
def test_no_text_breaks_the_engine(text: str, diff: str, tail: str) -> None:
    for edit in (diff, f"--- SEARCH\n{diff}\n===\n{tail}\n+++ REPLACE"):
        with contextlib.suppress(EditError):
            assert apply(text, edit) != text
