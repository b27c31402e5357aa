"""Reading configuration: strict, with errors that name the place."""

from pathlib import Path

import pytest

from hackamore.config.load import Source, load
from hackamore.core.config import Config
from hackamore.core.effects import Effect
from hackamore.core.errors import ConfigError


def _user(folder: Path, text: str) -> Source:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return Source(path)


def _project(folder: Path, text: str) -> Source:
    path = folder / "project.toml"
    path.write_text(text, encoding="utf-8")
    return Source(path, project=True)


@pytest.mark.req("UX-06")
def test_no_files_mean_the_defaults(tmp_path: Path) -> None:
    assert load([Source(tmp_path / "missing.toml")]) == Config()


@pytest.mark.req("AGT-12")
def test_values_are_read_with_file_and_line_as_their_source(tmp_path: Path) -> None:
    source = _user(
        tmp_path,
        'model = "ollama:qwen3"\n\n[approve]\nrun = "deny"\npaths.deny = ["vault/**"]\n\n'
        '[models."openai:x"]\nprompt = "small"\nsampling.temperature = 0\n',
    )
    config = load([source])
    assert config.model == "ollama:qwen3"
    assert config.approve.answers[Effect.RUN] == "deny"
    assert config.approve.answers[Effect.WRITE] == "ask"
    assert config.approve.deny_paths == ("vault/**",)
    assert config.models["openai:x"].prompt == "small"
    assert config.models["openai:x"].sampling == {"temperature": 0}
    assert config.sources["model"] == f"{source.path}:1"
    assert config.sources["approve.run"] == f"{source.path}:4"
    assert config.sources["approve.paths.deny"] == f"{source.path}:5"


@pytest.mark.req("UX-06")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('modle = "x"', r"config\.toml:1: there is no key 'modle'"),
        ('[approve]\nread = "allow"\nwriet = "ask"', r":3: there is no key 'approve\.wriet'"),
        ('[approve]\nrun = "maybe"', r":2: 'approve\.run' must be one of 'allow', 'ask', 'deny'"),
        ("[sandbox]\nread = [1]", r"'sandbox\.read' must be a list of strings"),
        ("approve = 3", r"there is no key 'approve'"),
        ("x = ", r"is not TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load([_user(tmp_path, text)])


@pytest.mark.req("AGT-12")
@pytest.mark.parametrize(
    "text",
    [
        'model = "x:y"',
        'base_url = "http://evil"',
        '[sandbox]\nlevel = "none"',
        '[sandbox]\nread = ["/"]',
        '[approve]\ncommands.allow = ["ls"]',
    ],
)
def test_a_project_may_not_choose_the_model_or_open_paths(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="a project may not set"):
        load([_project(tmp_path, text)])


@pytest.mark.req("SBX-01", "SBX-03")
@pytest.mark.parametrize(
    "text",
    [
        '[sandbox]\nhidden = ["a", "!.env"]',
        '[sandbox]\nreadonly = [" !.hackamore"]',
        '[sandbox]\nask = ["!conftest.py"]',
        '[approve]\npaths.deny = ["!x"]',
    ],
)
def test_a_project_may_not_take_a_pattern_back(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match=r"project\.toml:2: .* begins with '!'"):
        load([_project(tmp_path, text)])
    assert load([_user(tmp_path, text)]).sources


@pytest.mark.req("AGT-11")
def test_the_built_in_modes_cannot_be_changed(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="built in"):
        load([_project(tmp_path, '[modes.act]\ntools = ["execute_command"]')])


@pytest.mark.req("SBX-01")
def test_a_project_adds_to_the_lists_and_brings_its_own_answers(tmp_path: Path) -> None:
    config = load(
        [
            _user(tmp_path, '[sandbox]\nhidden = ["a"]\n[approve]\nrun = "allow"\n'),
            _project(tmp_path, '[sandbox]\nhidden = ["b"]\n[approve]\nrun = "deny"\n'),
        ]
    )
    assert config.sandbox.hidden == ("a", "b")
    assert config.approve.answers[Effect.RUN] == "allow"
    assert config.project_approve is not None
    assert config.project_approve.answers == {Effect.RUN: "deny"}


@pytest.mark.req("AGT-11")
def test_a_mode_of_the_persons_own_wins_over_the_projects(tmp_path: Path) -> None:
    config = load(
        [
            _user(tmp_path, '[modes.review]\ntools = ["read_file"]\nprompt = "mine"\n'),
            _project(tmp_path, '[modes.review]\nprompt = "theirs"\n[modes.docs]\nprompt = "d"\n'),
        ]
    )
    assert config.modes["review"].prompt == "mine"
    assert config.modes["review"].tools == ("read_file",)
    assert config.modes["docs"].tools is None
