"""Names for models: valid, distinct, stable, and the plain ones kept."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.mcp.names import bare_name, public_name

pytestmark = pytest.mark.req("MCP-08")

_VALID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_NAMES = (
    st.text() | st.from_regex(r"[a-zA-Z0-9_.-]{0,70}", fullmatch=True) | st.text("a_.", max_size=6)
)
_PAIRS = st.tuples(_NAMES, _NAMES)


@given(_PAIRS)
def test_a_name_is_always_valid_and_always_the_same(pair: tuple[str, str]) -> None:
    assert _VALID.fullmatch(public_name(*pair))
    assert public_name(*pair) == public_name(*pair)
    assert _VALID.fullmatch(bare_name(pair[1]))


@given(st.sets(_PAIRS, max_size=30))
def test_distinct_pairs_have_distinct_names(pairs: set[tuple[str, str]]) -> None:
    assert len({public_name(*pair) for pair in pairs}) == len(pairs)


@given(st.sets(_NAMES, max_size=30))
def test_distinct_tools_of_one_server_have_distinct_names(names: set[str]) -> None:
    assert len({bare_name(name) for name in names}) == len(names)


@given(st.from_regex(r"[a-zA-Z0-9_-]{0,62}[g-z-]", fullmatch=True))
def test_a_bare_name_that_fits_is_kept(name: str) -> None:
    assert bare_name(name) == name


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("git", "git_status", "git__git_status"),
        ("my-server", "read-file", "my-server__read-file"),
        ("a", "b__c", "a__b__c"),
        ("x" * 31, "y" * 31, f"{'x' * 31}__{'y' * 31}"),
    ],
)
def test_a_plain_pair_is_joined(server: str, tool: str, name: str) -> None:
    assert public_name(server, tool) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a__b", "c"), ("a", "b__c")),
        (("a_", "b"), ("a", "_b")),
        (("a.b", "c"), ("a_b", "c")),
        (("x" * 60, "tool_one"), ("x" * 60, "tool_two")),
        (("", "a"), ("a", "")),
        (("日本", "x"), ("中国", "x")),
        (("x.", "t"), ("x", public_name("x.", "t").removeprefix("x__"))),
    ],
)
def test_pairs_that_would_read_the_same_keep_apart(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert public_name(*one) != public_name(*other)


def test_what_had_to_change_still_tells_what_it_is() -> None:
    assert re.fullmatch(
        r"git_hub__create_issue_[0-9a-f]{8}", public_name("git.hub", "create_issue")
    )
    assert re.fullmatch(r"a_b_[0-9a-f]{8}", bare_name("a.b"))


def test_no_plain_name_looks_like_one_that_had_to_change() -> None:
    assert bare_name(bare_name("a.b")) != bare_name("a.b")
    assert bare_name("deadbeef") == "deadbeef"
