"""Glob patterns, against a well-known matcher."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcmatch import glob as wcglob

from hackamore.core.errors import UsageError
from hackamore.core.glob import matches

_NAMES = st.sampled_from(["a", "b", "ab", "a.py", ".env", "src", "x[y", "ä"])
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map("/".join)
_SEGMENTS = st.sampled_from(["a", "*", "?", "a*", "*.py", "[ab]", "[!a]", "**", ".env", "src"])
_PATTERNS = st.lists(_SEGMENTS, min_size=1, max_size=4).map("/".join)
_FLAGS = wcglob.GLOBSTAR | wcglob.DOTGLOB | wcglob.FORCEUNIX


@pytest.mark.req("SBX-01")
@given(pattern=_PATTERNS, path=_PATHS)
def test_patterns_match_what_wcmatch_matches(pattern: str, path: str) -> None:
    if pattern.endswith("**"):
        # Ours means what lies below; wcmatch also takes the folder itself.
        pattern += "/*"
    assert matches(pattern, path) == wcglob.globmatch(path, pattern, flags=_FLAGS)


@pytest.mark.req("SBX-01")
@pytest.mark.parametrize(
    ("pattern", "path", "wanted"),
    [
        ("*.pem", "c.pem", True),
        ("*.pem", "a/c.pem", False),
        ("**/.env*", "deep/.env.local", True),
        ("./src/**/*.py", "src/a/b.py", True),
        ("./src/**/*.py", "src/b.py", True),
        ("./src/**/*.py", "lib/src/b.py", False),
        ("src/*", "src/a/b", False),
        (".git/hooks/**", ".git/hooks/pre-commit", True),
        ("a?c", "a/c", False),
        ("[!a]b", "/b", False),
        ("x.py", "xapy", False),
    ],
)
def test_patterns_count_from_the_root(pattern: str, path: str, wanted: bool) -> None:
    assert matches(pattern, path) is wanted


@pytest.mark.req("SBX-01")
def test_two_stars_inside_a_name_are_refused_with_the_right_spelling() -> None:
    with pytest.raises(UsageError, match=r"\*\*/\*\.py"):
        matches("src/**.py", "src/a.py")
