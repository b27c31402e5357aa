"""A small broken project in a folder of its own, and hands on it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hackamore.core.project import Language, ProjectContext
from hackamore.testing.folder_hands import FolderHands

BROKEN = '''"""Prices."""


def total(items):
    """Add up."""
    return sum(price + quantity for price, quantity in items)


def half(amount):
    return amount // 2
'''
FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": BROKEN,
    "tests/test_prices.py": (
        "from shop.prices import total\n\n\n"
        "def test_total():\n    assert total([(250, 2), (99, 1)]) == 599\n\n\n"
        'if __name__ == "__main__":\n    test_total()\n'
    ),
    "README.md": "# shop\nAdds up prices.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def hands(root: Path) -> FolderHands:
    return FolderHands(root)


@pytest.fixture
def contents(root: Path) -> Callable[[], dict[str, bytes]]:
    """Return what reads all files of the project, to the byte."""

    def read() -> dict[str, bytes]:
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }

    return read


@pytest.fixture
def project() -> ProjectContext:
    """Return what runs the tests quickly, without a test runner."""
    command = "PYTHONPATH=. python tests/test_prices.py"
    return ProjectContext((Language("Python", "3.11", (), command, ("pyproject.toml",)),))
