"""Which names are kept free."""

from pathlib import Path

import pytest

from hackamore.core.protected import SHELL_START_FILES, SandboxRules
from hackamore.sandbox.missing_paths import Missing, names_to_keep

_HOME = Path("/home/somebody")


@pytest.mark.req("SBX-03")
def test_editors_and_agents_files_are_kept_free_in_a_project() -> None:
    kept = names_to_keep(_HOME / "project", _HOME, SandboxRules())
    assert set(kept) == {
        *(Missing(name, "folder") for name in (".hackamore", ".vscode", ".idea", ".devcontainer")),
        *(Missing(name, "file") for name in (".mcp.json", ".envrc")),
    }


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize("root", [_HOME, _HOME.parent])
def test_shell_start_files_are_kept_free_where_the_home_folder_is_open(root: Path) -> None:
    kept = {one.name for one in names_to_keep(root, _HOME, SandboxRules())}
    assert kept >= set(SHELL_START_FILES)


@pytest.mark.req("SBX-03")
def test_configured_names_are_kept_free_and_patterns_that_are_no_names_are_not() -> None:
    rules = SandboxRules(readonly=("/ci.sh", "hooks/", "*.lock", "a/b", "# no", "x", "!x", "[ab]"))
    kept = names_to_keep(_HOME / "project", _HOME, rules)
    assert kept == (Missing("ci.sh", "file"), Missing("hooks", "folder"))
