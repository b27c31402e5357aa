"""Which files to look at: pure scoring by what the request, the tests and their output name."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from hackamore.agent.recipes.paths import is_source

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_IMPORT: Final = re.compile(
    r"^\s*(?:from\s+([\w.]+)\s+import\s+([\w, ]+)|import\s+([\w.]+))"
    r"|(?:from|require\()\s*['\"]([^'\"]+)['\"]",
    re.MULTILINE,
)
_COMMON: Final = frozenset(
    {
        *("and", "are", "assert", "bug", "can", "class", "code", "def", "does", "explain"),
        *("file", "find", "fix", "for", "from", "function", "has", "how", "import", "into"),
        *("method", "not", "please", "return", "self", "test", "tests", "that", "the", "this"),
        *("use", "used", "uses", "what", "when", "where", "which", "why", "with", "you"),
    }
)


def words(text: str) -> tuple[str, ...]:
    """Return the telling words and names of a text, once each, in order."""
    return tuple(dict.fromkeys(word for word in _WORD.findall(text) if word.lower() not in _COMMON))


def imported(code: str, files: Sequence[str]) -> tuple[str, ...]:
    """Return the files of the project that the code imports."""
    names: list[str] = []
    for module, members, plain, path in _IMPORT.findall(code):
        if path:
            names.append(PurePosixPath(path).stem)
        names += [f"{module}.{member.strip()}" for member in members.split(",") if module]
        names += [name for name in (module, plain) if name]
    return tuple(file for file in files if any(_is_module(file, name) for name in names))


def mentioned(text: str, files: Iterable[str]) -> tuple[str, ...]:
    """Return the files whose path or name stands in the text."""
    return tuple(file for file in files if file in text or re.search(_name_pattern(file), text))


def rank(files: Sequence[str], *signals: tuple[Iterable[str], int]) -> tuple[str, ...]:
    """Return the sources that any signal names, the best first.

    Args:
        files: All files of the project.
        signals: Files that something points to, and how much that weighs. Named twice by
            one signal counts twice.
    """
    score = dict.fromkeys((file for file in files if is_source(file)), 0)
    for named, weight in signals:
        for file in named:
            if file in score:
                score[file] += weight
    return tuple(sorted((file for file in score if score[file]), key=lambda f: -score[f]))


def _is_module(file: str, name: str) -> bool:
    """Whether ``a/b.py`` or ``a/b/__init__.py`` is what ``import a.b`` or ``b`` means."""
    path = PurePosixPath(file).with_suffix("")
    parts = path.parent.parts if path.name == "__init__" else path.parts
    wanted = tuple(part for part in name.split(".") if part)
    return bool(wanted) and parts[-len(wanted) :] == wanted


def _name_pattern(file: str) -> str:
    return rf"(?<![\w/.]){re.escape(PurePosixPath(file).name)}\b"
