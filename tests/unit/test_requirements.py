"""The manifest of requirements tells the truth about the tests."""

import ast
import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_ENTRY = re.compile(r"^- \*\*([A-Z]+-\d+)\*\* `(\w+)` ", re.MULTILINE)


def _manifest() -> dict[str, str]:
    text = (_ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
    return dict(_ENTRY.findall(text))


def _carried() -> dict[str, str]:
    """Return each id that a test names, with the file that names it."""
    found: dict[str, str] = {}
    for path in sorted((_ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.req":
                for argument in node.args:
                    found[ast.literal_eval(argument)] = path.name
    return found


@pytest.mark.req("UX-05")
def test_every_requirement_has_a_known_state() -> None:
    manifest = _manifest()
    assert len(manifest) > 80
    assert set(manifest.values()) <= {"planned", "begun", "done"}


@pytest.mark.req("UX-05")
def test_what_is_begun_or_done_is_carried_by_a_test() -> None:
    carried = _carried()
    untested = {
        name for name, state in _manifest().items() if state != "planned" and name not in carried
    }
    assert not untested


@pytest.mark.req("UX-05")
def test_tests_name_only_requirements_that_are_begun() -> None:
    manifest = _manifest()
    wrong = {
        name: place
        for name, place in _carried().items()
        if manifest.get(name, "unknown") in ("planned", "unknown")
    }
    assert not wrong
