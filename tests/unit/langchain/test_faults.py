"""Providers' exceptions as ours."""

from dataclasses import dataclass, field

import pytest

from hackamore.core.errors import (
    ContextOverflow,
    ModelAuth,
    ModelBusy,
    ModelError,
    ToolsUnsupported,
)
from hackamore.langchain.faults import model_error


@dataclass
class _Response:
    status_code: int
    headers: dict[str, str] = field(default_factory=dict[str, str])


class _ProviderError(Exception):
    def __init__(
        self, words: str, status: int | None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(words)
        if status is not None:
            self.status_code = status
            self.response = _Response(status, headers or {})


class APIConnectionError(Exception):
    """Named as SDKs name it."""


@pytest.mark.req("AGT-07")
@pytest.mark.parametrize(
    ("words", "status", "kind"),
    [
        ("rate limited", 429, ModelBusy),
        ("overloaded", 529, ModelBusy),
        ("Too many tokens, please wait before trying again.", 429, ModelBusy),
        ("internal", 500, ModelBusy),
        ("bad key", 401, ModelAuth),
        ("forbidden", 403, ModelAuth),
        ("no such model", 404, ModelAuth),
        ("invalid role", 400, ModelError),
        ("This model's maximum context length is 8192 tokens", 400, ContextOverflow),
        (
            "input length and `max_tokens` exceed context limit: 196778 + 21333 > 200000",
            400,
            ContextOverflow,
        ),
        ("prompt is too long: 210000 tokens > 200000 maximum", 400, ContextOverflow),
        ("the request exceeds the available context size", 400, ContextOverflow),
        ("registry.ollama.ai/library/x does not support tools", 400, ToolsUnsupported),
        ("tools are not supported by this model", 500, ToolsUnsupported),
        ("tools param requires --jinja flag", 500, ToolsUnsupported),
    ],
)
def test_status_and_words_tell_the_kind(words: str, status: int, kind: type[ModelError]) -> None:
    error = model_error(_ProviderError(words, status), "p:m")
    assert type(error) is kind
    assert words.replace("`", "") in str(error).replace("`", "")


@pytest.mark.req("AGT-07")
@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7.0), ("0.5", 0.5), ("-1", 0.0), ("soon", None), ("", None)]
)
def test_the_wait_that_the_provider_asks_for_is_read(header: str, seconds: float | None) -> None:
    error = model_error(_ProviderError("slow down", 429, {"retry-after": header}), "p:m")
    assert isinstance(error, ModelBusy)
    assert error.retry_after == seconds


@pytest.mark.req("AGT-07")
def test_a_lost_connection_is_worth_another_try() -> None:
    outer = RuntimeError("stream ended")
    outer.__cause__ = APIConnectionError("reset by peer")
    assert isinstance(model_error(outer, "p:m"), ModelBusy)


@pytest.mark.req("AGT-07")
def test_a_missing_key_without_a_status_is_a_matter_of_the_key() -> None:
    error = model_error(TypeError("Could not resolve authentication method"), "p:m")
    assert isinstance(error, ModelAuth)


@pytest.mark.req("UX-06")
def test_long_words_are_cut() -> None:
    assert len(str(model_error(_ProviderError("x" * 5000, 400), "p:m"))) < 700


@pytest.mark.req("SBX-08")
def test_a_key_in_the_providers_words_is_not_passed_on() -> None:
    error = model_error(_ProviderError("Incorrect key: sk-live-0123456789abcdef", 401), "p:m")
    assert "0123456789" not in str(error)
    assert "Incorrect key" in str(error)
