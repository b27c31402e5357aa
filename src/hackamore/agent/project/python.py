"""Python projects: version, packages and tests, from the files that declare them."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

from hackamore.core.project import Language

FILES: Final = (
    "pyproject.toml",
    "requirements.txt",
    "requirements-dev.txt",
    "requirements.lock",
    "setup.cfg",
    "setup.py",
    "pytest.ini",
    "tox.ini",
    "conftest.py",
    ".python-version",
)
_TEST_FILE: Final = re.compile(r"(^|/)(test_[^/]*|[^/]*_test)\.py$")
_REQUIREMENT: Final = re.compile(r"^[A-Za-z0-9][\w.-]*(\[[\w,\s.-]+\])?\s*([=<>!~]=?.*|@.*)?$")


def python_language(
    files: Mapping[str, str], paths: Iterable[str], interpreter: str | None
) -> Language | None:
    """Return what a Python project declares, or None when this is none.

    Args:
        files: Text of those of `FILES` that exist, by name.
        paths: The project's files.
        interpreter: A command that starts a Python which has pytest, or None.
    """
    sources = tuple(name for name in FILES if name in files)
    scripts = [path for path in paths if path.endswith(".py")]
    if not sources and not scripts:
        return None
    project = _table(files.get("pyproject.toml", ""))
    return Language(
        name="Python",
        version=files.get(".python-version", "").strip() or _requires(project),
        packages=tuple(dict.fromkeys(_packages(files, project))),
        test_command=_test_command(files, scripts, interpreter),
        source=sources or (scripts[0],),
        interpreter=interpreter or "",
    )


def _table(text: str) -> Mapping[str, Any]:
    """Return the project file's content; a broken one says nothing."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _requires(tree: Mapping[str, Any]) -> str:
    found = _inner(tree, "project").get("requires-python", "")
    return found if isinstance(found, str) else ""


def _packages(files: Mapping[str, str], tree: Mapping[str, Any]) -> Iterator[str]:
    project = _inner(tree, "project")
    groups = (
        project.get("dependencies"),
        *_inner(project, "optional-dependencies").values(),
        *_inner(tree, "dependency-groups").values(),
    )
    for group in groups:
        if isinstance(group, list):
            yield from (one for one in cast(list[object], group) if isinstance(one, str))
    poetry = _inner(_inner(_inner(tree, "tool"), "poetry"), "dependencies")
    yield from (f"{name} {wanted}" for name, wanted in poetry.items() if isinstance(wanted, str))
    for name in ("requirements.txt", "requirements-dev.txt"):
        for line in files.get(name, "").splitlines():
            entry = line.split("#", 1)[0].split(" --hash", 1)[0].strip().rstrip("\\").strip()
            if _REQUIREMENT.match(entry):
                yield entry


def _inner(tree: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = tree.get(name)
    return cast(Mapping[str, Any], found) if isinstance(found, Mapping) else {}


def _test_command(
    files: Mapping[str, str], scripts: list[str], interpreter: str | None
) -> str | None:
    if not any(_TEST_FILE.search(path) for path in scripts):
        return None
    if interpreter is None and _uses_pytest(files):
        return None
    if interpreter is None:
        return "python3 -m unittest"
    return f"{interpreter} -m pytest -q"


def _uses_pytest(files: Mapping[str, str]) -> bool:
    return "pytest.ini" in files or any("pytest" in text for text in files.values())
