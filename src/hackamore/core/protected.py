"""Which paths an agent may not see, not change, or change only after a question.

Pure data and a matcher. Patterns are written as in ``.gitignore`` (the last one that fits wins,
``!`` takes back, a ``/`` in front or inside anchors at the root, ``**`` spans folders, a ``/`` at
the end means folders only), with one difference: names that some file system would take for the
same (``.GIT``, ``git~1``, invisible characters) are the same here.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

DEFAULT_HIDDEN: Final = (
    *(".env*", "!.env.example", "!.env.sample", "!.env.template", "!.env.dist"),
    *("id_*", "!id_*.*", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*"),
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore"),
    *(".ssh", ".aws", ".gnupg", ".kube", ".netrc", ".pgpass", ".pypirc", ".git-credentials"),
    *("**/.cargo/credentials*", "**/.m2/settings*.xml", "**/.config/gh/hosts.yml"),
    *("**/.docker/config.json", "secrets.*", "credentials.json", "service-account*.json"),
)
"""Secrets: neither read by tools nor shown to commands."""

SHELL_START_FILES: Final = (
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile"),
    *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".kshrc", ".cshrc", ".tcshrc", ".login"),
)
"""What a shell executes when it starts in the home folder."""

DEFAULT_READONLY: Final = (
    *("**/.git/hooks", "**/.git/config", "**/.git/config.worktree"),
    *("**/.git/commondir", "**/.git/worktrees/*/commondir", "**/.git/worktrees/*/config.worktree"),
    *("**/.git/modules/**/hooks", "**/.git/modules/**/config", "**/.git/modules/**/commondir"),
    *(".hackamore", ".vscode", ".idea", ".devcontainer", ".mcp.json", ".envrc"),
    *SHELL_START_FILES,
)
"""What other programs execute or trust: shown, never written."""

DEFAULT_ASK: Final = (
    *(".npmrc", ".pre-commit-config.yaml", "sitecustomize.py", "usercustomize.py"),
    *("/conftest.py", "/.github/workflows", "/.github/actions", "/.gitlab-ci.yml"),
    *("/.circleci", "/.buildkite", "/.travis.yml", "/Jenkinsfile", "/azure-pipelines.yml"),
)
"""What runs by itself later: written only after the person said yes."""

TOOL_READONLY: Final = (".git",)
"""What file tools never write, though commands such as ``git commit`` may."""


_JUDGED_BY_CONTENT: Final = ".npmrc"
_MARKS_OF_TOKENS: Final = (b"_auth", b"_password")


def may_hold_token(path: str) -> bool:
    """Tell whether a file is secret or not by what is in it."""
    return fold(path.rpartition("/")[2]) == _JUDGED_BY_CONTENT


def holds_token(path: str, data: bytes) -> bool:
    """Tell whether a file such as ``.npmrc`` holds a token, and so is hidden."""
    return may_hold_token(path) and any(mark in data for mark in _MARKS_OF_TOKENS)


@dataclass(frozen=True, slots=True)
class SandboxRules:
    """The three lists, as configured.

    Attributes:
        hidden: Neither read nor listed nor visible to commands.
        readonly: Visible, not writable.
        ask: Writable after a question; the policy asks, the sandbox does not enforce it.
    """

    hidden: tuple[str, ...] = DEFAULT_HIDDEN
    readonly: tuple[str, ...] = DEFAULT_READONLY
    ask: tuple[str, ...] = DEFAULT_ASK


class PathMatcher:
    """Tells whether a path, or a folder above it, is on a list."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._rules = [rule for rule in map(_rule, patterns) if rule is not None]
        every = "|".join(rule.source for rule in self._rules)
        self._any = re.compile(every or r"(?!)", re.DOTALL)

    def matches(self, path: str, *, folder: bool | None = None) -> bool:
        """Tell whether `path` (relative, ``/`` between names) is on the list.

        `folder` says whether the path itself is one; None (unknown) counts as both.
        """
        names = [fold(name) for name in path.split("/") if name not in ("", ".")]
        last = len(names)
        return any(
            self._judge("/".join(names[:depth]), True if depth < last else folder)
            for depth in range(1, last + 1)
        )

    def judge_entry(self, path: str, *, folder: bool) -> bool | None:
        """Judge a path whose folders are judged already; None when no pattern speaks of it."""
        return self._judge("/".join(fold(name) for name in path.split("/")), folder)

    def _judge(self, path: str, folder: bool | None) -> bool | None:
        if not self._any.fullmatch(path):
            return None
        for rule in reversed(self._rules):
            if rule.folder_only and folder is False:
                continue
            if rule.regex.fullmatch(path):
                return not rule.negated
        return None


@lru_cache(maxsize=8192)
def fold(name: str) -> str:
    """Return the name that a case-insensitive or forgiving file system would see.

    Covers case, ignorable characters (HFS+), and trailing dots and spaces, streams and the short
    name of ``.git`` (NTFS).
    """
    if not name.isascii():
        name = "".join(c for c in name if unicodedata.category(c) != "Cf")
        name = unicodedata.normalize("NFC", name)
    name = name.casefold()
    if name.startswith(".git:") or re.fullmatch(r"git~\d", name):
        return ".git"
    return name.rstrip(" .") or name


@dataclass(frozen=True, slots=True)
class _Rule:
    source: str
    regex: re.Pattern[str]
    negated: bool
    folder_only: bool


def _rule(line: str) -> _Rule | None:
    """Read one line of a list; blank lines and comments are none."""
    pattern = line.rstrip()
    if not pattern or pattern.startswith("#"):
        return None
    negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!").casefold()
    folder_only = pattern.endswith("/")
    pattern = pattern.rstrip("/")
    anchored = "/" in pattern
    source = _regex(pattern.lstrip("/"))
    if not anchored:
        source = f"(?:.*/)?{source}"
    return _Rule(source, re.compile(source, re.DOTALL), negated, folder_only)


_TOKEN: Final = re.compile(r"\*\*/|/\*\*$|\*+|\?|\[[!^]?\]?[^\]]*\]|\\.|.", re.DOTALL)


def _regex(pattern: str) -> str:
    """Translate a pattern without its anchors."""
    return "".join(_translate(token) for token in _TOKEN.findall(pattern))


def _translate(token: str) -> str:
    fixed = {"**/": "(?:.*/)?", "/**": "/.*", "?": "[^/]"}
    if token in fixed:
        return fixed[token]
    if token.startswith("*"):
        return "[^/]*"
    if token.startswith("[") and len(token) > 1:
        return _character_class(token[1:-1])
    return re.escape(token[1:] if token.startswith("\\") and len(token) > 1 else token)


def _character_class(inside: str) -> str:
    negated = inside[:1] in ("!", "^")
    members = inside[1:] if negated else inside
    escaped = members.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    source = f"[{'^/' if negated else ''}{escaped}]"
    try:
        re.compile(source)
    except re.error:
        return re.escape(f"[{inside}]")
    return source
