"""The lists of protected paths: what they cover, and names that only look different."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hackamore.core.protected import (
    DEFAULT_ASK,
    DEFAULT_HIDDEN,
    DEFAULT_READONLY,
    PathMatcher,
    fold,
)


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    "path",
    [
        *(".env", ".env.local", "deep/down/.env", ".envrc", ".ENV", ".ssh/id_ed25519", ".ssh"),
        *("id_rsa", "keys/id_rsa.bak", "server.pem", "a.key", ".aws/credentials", ".netrc"),
        *("secrets.json", "SECRETS.YAML", "service-account-prod.json", "x/.docker/config.json"),
        *(".e\u200bnv", ".env. ", "./.env", "id_deploy"),
    ],
)
def test_secrets_are_hidden(path: str) -> None:
    assert PathMatcher(DEFAULT_HIDDEN).matches(path)


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    "path",
    [
        *(".env.example", ".environment", "environment.py", "src/id_card.py", "key.py", "pem"),
        *("secrets/readme.md", "src/main.py", ".", ".git/config", "ssh/config", "valid_name.py"),
    ],
)
def test_ordinary_files_are_not_hidden(path: str) -> None:
    matcher = PathMatcher(DEFAULT_HIDDEN)
    assert matcher.matches(path) == (path == ".environment")  # .env* is a prefix, as configured


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    "path",
    [
        *(".git/hooks", ".git/hooks/pre-commit", "sub/.git/config", ".GIT/config", "git~1/config"),
        *(".g\u200cit/config", ".git./hooks/x", ".git::$INDEX_ALLOCATION/config", ".bashrc"),
        *(".vscode/tasks.json", "sub/.idea/x", ".hackamore/config.toml", ".mcp.json"),
        *(".git/modules/a/b/config", ".devcontainer/devcontainer.json"),
    ],
)
def test_what_other_programs_execute_is_read_only(path: str) -> None:
    assert PathMatcher(DEFAULT_READONLY).matches(path)


@pytest.mark.req("SBX-03")
def test_git_itself_is_not_read_only_for_commands() -> None:
    matcher = PathMatcher(DEFAULT_READONLY)
    assert not any(matcher.matches(path) for path in (".git", ".git/HEAD", ".git/index", "config"))


@pytest.mark.req("SBX-03")
def test_what_runs_by_itself_later_is_asked() -> None:
    matcher = PathMatcher(DEFAULT_ASK)
    asked = (".npmrc", "conftest.py", ".github/workflows/ci.yml", "sub/sitecustomize.py")
    assert all(matcher.matches(path) for path in asked)
    assert not matcher.matches("tests/conftest.py")


@pytest.mark.req("AGT-10")
@pytest.mark.parametrize(
    ("patterns", "path", "folder", "ignored"),
    [
        (["build/"], "build", True, True),
        (["build/"], "build", False, False),
        (["build/"], "build/x", None, True),
        (["build/"], "sub/build/x", None, True),
        (["/build"], "sub/build", None, False),
        (["*.log", "!keep.log"], "keep.log", False, False),
        (["*.log", "!keep.log"], "a/b.log", False, True),
        (["a/**/z"], "a/z", None, True),
        (["a/**/z"], "a/b/c/z", None, True),
        (["docs/*.md"], "docs/a.md", None, True),
        (["docs/*.md"], "docs/sub/a.md", None, False),
        (["**/x"], "x", None, True),
        (["a/**"], "a/b", None, True),
        (["a/**"], "a", None, False),
        ([".*", "!/.github/"], ".github", True, False),
        ([".*", "!/.github/"], ".github/x.yml", None, False),
        (["[ab].txt", "[!x]y"], "a.txt", None, True),
        (["[ab].txt", "[!x]y"], "xy", None, False),
        (["file?"], "file1", None, True),
        (["# note", "", "  "], "note", None, False),
        (["\\#odd"], "#odd", None, True),
        (["[unclosed"], "[unclosed", None, True),
        (["a+b(c)"], "a+b(c)", None, True),
        (["dir", "!dir/keep"], "dir/keep", None, True),
    ],
)
def test_patterns_are_those_of_gitignore(
    patterns: list[str], path: str, folder: bool | None, ignored: bool
) -> None:
    assert PathMatcher(patterns).matches(path, folder=folder) is ignored


@pytest.mark.req("SBX-03")
@given(st.text(st.characters(exclude_characters="/\0"), min_size=1))
def test_folding_twice_is_folding_once(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@pytest.mark.req("SBX-03")
@given(st.lists(st.text("ab*?/![]\\.", max_size=6), max_size=4), st.text("ab/.", max_size=12))
def test_any_pattern_can_be_used(patterns: list[str], path: str) -> None:
    assert PathMatcher(patterns).matches(path) in (True, False)
