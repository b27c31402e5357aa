"""A server's pattern is tried only where that surely ends soon."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.mcp.patterns import matches

pytestmark = pytest.mark.req("LC-02")


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^[A-Za-z_][\w.-]{0,63}$", "a.b-c", "1a"),
        (r"^(?:feat|fix)(\([a-z]+\))?: .+$", "fix(mcp): more", "fixes"),
        (r"^[^\s/]+/[^\s/]+$", "owner/name", "owner name"),
        (r"^\/api\/v\d$", "/api/v1", "/api/vx"),
        (r"^[\[\]a[]+$", "[a]", "b"),
        (r"\bfoo\b", "a foo b", "afoob"),
        (r"^(ab){2,3}$", "abab", "ab"),
        (r"^.{1,3}?$", "ab", "abcd"),
        ("", "x", None),
    ],
)
def test_a_plain_pattern_is_tried(pattern: str, good: str, bad: str | None) -> None:
    assert matches(pattern, good) is True
    assert bad is None or matches(pattern, bad) is False


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"\p{L}", "(?<y>a)", "(?=a)", r"(a)\1", "[[:alpha:]]", "[a--b]", "a*+", "a**", "(", ")"),
        *(r"\u0041", "[", "[]", r"\Z", "(?i)a", "a{2", "x" * 5_000, "*"),
    ],
)
def test_what_is_not_plain_is_not_tried(pattern: str) -> None:
    assert matches(pattern, "abc") is None


@given(
    st.text(r"ab()|*+?[]^$.\d{}1,", max_size=14),
    st.sampled_from(["a" * 3_000 + "!", "ab" * 40, "x" * 3_000, ""]),
)
def test_no_pattern_takes_long(pattern: str, text: str) -> None:
    begun = time.process_time()
    assert matches(pattern, text) in (True, False, None)
    assert time.process_time() - begun < 1
