"""Servers that ask a model: only after the person has seen the question."""

from typing import Any

import mcp_types as types
import pytest

from hackamore.compose.sampling import Sampler
from hackamore.core.approval import ALLOW_ONCE, REJECT_ONCE
from hackamore.core.errors import ModelError
from hackamore.testing.scripted_host import ScriptedHost
from hackamore.testing.scripted_model import Say, ScriptedModel

pytestmark = pytest.mark.anyio


def _params(text: str, **more: Any) -> types.CreateMessageRequestParams:
    message = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.CreateMessageRequestParams(messages=[message], max_tokens=100, **more)


@pytest.mark.req("MCP-09")
async def test_a_server_gets_the_models_answer_after_a_yes() -> None:
    model, host = ScriptedModel(Say("four")), ScriptedHost([ALLOW_ONCE])
    result = await Sampler(model, host)("calc", _params("two and two?", system_prompt="Be brief."))
    assert isinstance(result, types.CreateMessageResult)
    assert result.content == types.TextContent(type="text", text="four")
    assert [one.text for one in model.requests[0].messages] == ["Be brief.", "two and two?"]
    assert "two and two?" in host.requests[0].title


@pytest.mark.req("MCP-09")
async def test_without_a_yes_the_model_hears_nothing() -> None:
    model, host = ScriptedModel(Say("four")), ScriptedHost([REJECT_ONCE])
    result = await Sampler(model, host)("calc", _params("two and two?"))
    assert isinstance(result, types.ErrorData)
    assert not model.requests


@pytest.mark.req("MCP-09")
async def test_a_model_that_fails_is_an_error_for_the_server() -> None:
    model, host = ScriptedModel(Say(error=ModelError("out of tokens"))), ScriptedHost([ALLOW_ONCE])
    result = await Sampler(model, host)("calc", _params("two and two?"))
    assert isinstance(result, types.ErrorData)
    assert "out of tokens" in result.message
