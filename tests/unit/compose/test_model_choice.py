"""Which model thinks."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from hackamore.compose.environment import Environment
from hackamore.compose.model_choice import by_key, by_server, embedded, named
from hackamore.compose.options import Options
from hackamore.compose.recipes import recipe_for
from hackamore.compose.thinker import choose_model, profile_of
from hackamore.core.config import Config, ModeConfig, ModelConfig
from hackamore.core.errors import ModelAuth, UsageError

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class _Server:
    kind: str
    base_url: str
    models: tuple[str, ...]


def _environment(tmp_path: Path, **variables: str) -> Environment:
    return Environment(variables, tmp_path, tmp_path, tmp_path)


@pytest.mark.req("UX-03")
async def test_what_was_asked_for_comes_before_everything(tmp_path: Path) -> None:
    options = Options(tmp_path, model="openai:a", base_url="http://127.0.0.1:1/v1")
    environment = _environment(tmp_path, HACKAMORE_MODEL="openai:b", ANTHROPIC_API_KEY="k")
    choice = await choose_model(options, Config(model="openai:c"), environment)
    assert choice.name == "openai:a"
    assert choice.base_url == "http://127.0.0.1:1/v1"
    assert "--model" in choice.why


@pytest.mark.req("UX-03")
async def test_the_variable_then_the_mode_then_the_configuration_then_a_key(tmp_path: Path) -> None:
    options = Options(tmp_path, mode="review")
    config = Config(model="openai:c", modes={"review": ModeConfig(model="openai:m")})
    keyed = _environment(tmp_path, ANTHROPIC_API_KEY="k")
    variable = _environment(tmp_path, HACKAMORE_MODEL="openai:b", ANTHROPIC_API_KEY="k")
    assert (await choose_model(options, config, variable)).name == "openai:b"
    assert (await choose_model(options, config, keyed)).name == "openai:m"
    plain = Options(tmp_path)
    assert (await choose_model(plain, config, keyed)).name == "openai:c"
    assert (await choose_model(plain, Config(), keyed)).provider == "anthropic"


@pytest.mark.req("UX-03")
def test_keys_servers_and_the_embedded_model_give_a_choice_with_a_reason() -> None:
    keyed = by_key(["PATH", "OPENAI_API_KEY"], ["OPENAI_API_KEY"])
    assert keyed is not None
    assert keyed.provider == "openai"
    assert ".env" in keyed.why
    served = by_server([_Server("ollama", "http://127.0.0.1:11434", ("qwen3",))])
    assert served is not None
    assert served.name == "ollama:qwen3"
    assert by_server([_Server("lmstudio", "u", ())]) is None
    assert embedded().embedded


@pytest.mark.req("UX-06")
@pytest.mark.parametrize("name", ["gpt", ":x", "openai:", ""])
def test_a_model_without_provider_or_name_is_refused(name: str) -> None:
    with pytest.raises(ModelAuth, match="provider:model"):
        named(name, None, "")


@pytest.mark.req("AGT-11")
async def test_an_unknown_mode_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="plan, act"):
        await choose_model(Options(tmp_path, mode="x"), Config(), _environment(tmp_path))


@pytest.mark.req("FMT-01")
def test_a_configured_profile_shapes_the_model_and_a_flag_wins(tmp_path: Path) -> None:
    choice = named("openai:x", None, "")
    config = Config(models={"openai:x": ModelConfig(tool_format="xml", prompt="small")})
    profile = profile_of(choice, Options(tmp_path), config)
    assert (profile.tool_format, profile.prompt) == ("xml", "small")
    flagged = profile_of(choice, Options(tmp_path, tool_format="native"), config)
    assert flagged.tool_format == "native"
    assert profile_of(embedded(), Options(tmp_path), Config()).prompt == "small"


@pytest.mark.req("AGT-16")
@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("fix the failing test", "fix"),
        ("make the tests pass", "fix"),
        ("修复测试", "fix"),
        ("write tests for src/app.py", "generate_tests"),
        ("please add some unit tests", "generate_tests"),
        ("generate a test for total", "generate_tests"),
        ("explain src/app.py", "explain"),
        ("where is the config read?", "ask"),
        ("配置在哪里\uff1f", "ask"),
    ],
)
def test_the_embedded_model_takes_the_recipe_that_the_words_ask_for(words: str, name: str) -> None:
    assert recipe_for(None, words).__name__ == name


@pytest.mark.req("AGT-16")
def test_the_embedded_model_says_what_it_cannot_do() -> None:
    with pytest.raises(ModelAuth, match="too small for free tasks"):
        recipe_for(None, "add a dark mode to the settings page")
