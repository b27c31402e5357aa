"""What a path says of a file: its language, and whether it is a test."""

from pathlib import PurePosixPath
from typing import Final

_LANGUAGES: Final = {
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "jsx",
    ".ts": "typescript",
    ".tsx": "tsx",
}
_TEST_FOLDERS: Final = frozenset({"test", "tests", "__tests__", "spec", "testing"})
_TEST_ENDS: Final = ("_test", ".test", "_spec", ".spec")


def language(path: str) -> str:
    """Return the name of the code's language, as a fence has it; empty for other files."""
    return _LANGUAGES.get(PurePosixPath(path).suffix, "")


def is_test(path: str) -> bool:
    """Whether the file belongs to the tests, which a recipe never writes."""
    file = PurePosixPath(path)
    if _TEST_FOLDERS & {part.lower() for part in file.parts[:-1]}:
        return True
    stem = file.stem.lower()
    return stem.startswith("test_") or stem == "conftest" or stem.endswith(_TEST_ENDS)


def is_source(path: str) -> bool:
    """Whether a recipe may write the file: code, but no test."""
    return bool(language(path)) and not is_test(path)
