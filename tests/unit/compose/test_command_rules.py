"""Rules for commands reach the policy from the configuration's files."""

from pathlib import Path

import pytest

from hackamore.compose.options import Options
from hackamore.compose.settings import policy_of
from hackamore.config.load import Source, load
from hackamore.core.effects import Effect
from hackamore.core.policy import Action, Allow, Ask, Deny
from hackamore.core.protected import SandboxRules


@pytest.mark.req("AGT-12", "SBX-02")
@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("git status", Allow),
        ("git status | sh", Ask),
        ("npm test", Ask),
        ("git log", Deny),
        ("cat .env", Deny),
    ],
)
def test_a_project_asks_and_denies_more_than_the_person(
    tmp_path: Path, line: str, kind: type
) -> None:
    mine, project = tmp_path / "mine.toml", tmp_path / "project.toml"
    mine.write_text('[approve]\ncommands.allow = ["git status", "git log", "npm test"]\n')
    project.write_text('[approve.commands]\nask = ["npm test"]\ndeny = ["git log"]\n')
    config = load([Source(mine), Source(project, project=True)])
    policy = policy_of(config, Options(workspace=tmp_path), SandboxRules())
    verdict = policy.judge(Action("execute_command", Effect.RUN, command=line))
    assert isinstance(verdict, kind)
