"""What a project says of itself."""

import json

import pytest

from hackamore.agent.project.gather import Surroundings, gather
from hackamore.agent.project.node import node_language
from hackamore.agent.project.python import python_language
from hackamore.testing.fake_workspace import FakeSandbox, FakeWorkspace

pytestmark = pytest.mark.anyio

_PYPROJECT = """
[project]
name = "shop"
requires-python = ">=3.11"
dependencies = ["httpx>=0.27", "rich"]
[project.optional-dependencies]
cli = ["typer"]
[dependency-groups]
dev = ["pytest>=8", { include-group = "lint" }]
[tool.poetry.dependencies]
attrs = "^24"
"""


@pytest.mark.req("AGT-09")
def test_a_python_project_names_its_version_packages_and_tests() -> None:
    found = python_language(
        {"pyproject.toml": _PYPROJECT, ".python-version": "3.12\n"},
        ["shop/app.py", "tests/test_app.py"],
        "/usr/bin/python3",
    )
    assert found is not None
    assert found.version == "3.12"
    assert found.packages == ("httpx>=0.27", "rich", "typer", "pytest>=8", "attrs ^24")
    assert found.test_command == "/usr/bin/python3 -m pytest -q"
    assert found.source == ("pyproject.toml", ".python-version")


@pytest.mark.req("AGT-09")
def test_requirements_files_are_read_without_comments_hashes_and_options() -> None:
    text = "# all\n-r base.txt\nflask==3.0  # web\nrequests==2 \\\n    --hash=sha256:ab\n"
    found = python_language({"requirements.txt": text}, [], None)
    assert found is not None
    assert found.packages == ("flask==3.0", "requests==2")


@pytest.mark.req("AGT-09")
def test_without_pytest_the_standard_runner_is_named_and_without_tests_none() -> None:
    plain = python_language({}, ["app.py", "test_app.py"], None)
    assert plain is not None
    assert plain.test_command == "python3 -m unittest"
    untested = python_language({}, ["app.py"], "/usr/bin/python3")
    assert untested is not None
    assert untested.test_command is None


@pytest.mark.req("AGT-09")
def test_a_broken_project_file_says_nothing_and_breaks_nothing() -> None:
    found = python_language({"pyproject.toml": "[project\n"}, ["a.py"], None)
    assert found is not None
    assert found.packages == ()


@pytest.mark.req("AGT-09")
def test_a_folder_without_python_or_node_is_neither() -> None:
    assert python_language({}, ["README.md"], None) is None
    assert node_language({}, frozenset({"README.md"})) is None


@pytest.mark.req("AGT-09")
@pytest.mark.parametrize(
    ("lock", "command"),
    [("package-lock.json", "npm test --silent"), ("pnpm-lock.yaml", "pnpm test")],
)
def test_a_node_project_names_its_packages_and_tests(lock: str, command: str) -> None:
    package = {
        "engines": {"node": ">=20"},
        "scripts": {"test": "node --test"},
        "dependencies": {"fastify": "^5"},
        "devDependencies": {"typescript": "^5"},
    }
    found = node_language({"package.json": json.dumps(package)}, frozenset({lock}))
    assert found is not None
    assert (found.name, found.version) == ("TypeScript on Node", ">=20")
    assert found.packages == ("fastify ^5", "typescript ^5")
    assert found.test_command == command


@pytest.mark.req("AGT-09")
@pytest.mark.parametrize(
    "text", ["{", "[]", '{"scripts": 3}', '{"scripts": {"test": "echo \\"no test specified\\""}}']
)
def test_a_package_file_without_tests_or_sense_has_no_test_command(text: str) -> None:
    found = node_language({"package.json": text}, frozenset())
    assert found is not None
    assert found.test_command is None


@pytest.mark.req("AGT-09", "AGT-08")
async def test_the_whole_context_is_gathered_through_the_ports() -> None:
    workspace = FakeWorkspace(
        {
            "pyproject.toml": _PYPROJECT,
            "package.json": "{}",
            "AGENTS.md": "Be brief.",
            "tests/test_a.py": "",
        }
    )
    project = await gather(Surroundings(workspace, FakeSandbox(), ["/usr/bin/python3"]))
    assert [language.name for language in project.languages] == ["Python", "JavaScript on Node"]
    assert project.rules == (("AGENTS.md", "Be brief."),)
