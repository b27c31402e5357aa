"""Sampling: a server asks the run's model something, once the person has agreed to the question."""

import json
from typing import cast

import mcp_types as types

from hackamore.core.approval import ApprovalRequest
from hackamore.core.effects import Effect
from hackamore.core.errors import ModelError
from hackamore.core.host import Host
from hackamore.core.ids import new_id
from hackamore.core.json import JSONObject
from hackamore.core.messages import Message, Text, system
from hackamore.core.model import Finished, Model, ModelRequest, TextPiece
from hackamore.mcp.visible import visible

_REFUSED = -1
_FAILED = -32603
_LONGEST_ANSWER = 200_000


class Sampler:
    """Answers servers in the model's name. Each question is shown to the person first."""

    def __init__(self, model: Model, host: Host) -> None:
        self._model = model
        self._host = host

    async def __call__(
        self, server: str, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult | types.ErrorData:
        """Ask the person, then the model."""
        request = ModelRequest(messages=tuple(_messages(params)))
        decision = await self._host.approve(_question(server, request))
        if not decision.allowed:
            return types.ErrorData(code=_REFUSED, message="The person did not allow it.")
        try:
            return await self._answer(request)
        except ModelError as error:
            return types.ErrorData(code=_FAILED, message=str(error))

    async def _answer(self, request: ModelRequest) -> types.CreateMessageResult:
        text, reason = "", "endTurn"
        async for piece in self._model.stream(request):
            if isinstance(piece, TextPiece) and len(text) < _LONGEST_ANSWER:
                text += piece.text
            elif isinstance(piece, Finished) and piece.reason == "length":
                reason = "maxTokens"
        return types.CreateMessageResult(
            role="assistant",
            content=types.TextContent(type="text", text=text),
            model=self._model.profile.name,
            stop_reason=reason,
        )


def _messages(params: types.CreateMessageRequestParams) -> list[Message]:
    said = [Message(one.role, (Text(_words(one.content)),)) for one in params.messages]
    return [system(visible(params.system_prompt)), *said] if params.system_prompt else said


def _words(content: object) -> str:
    """Return the words of a message; of other content its kind."""
    parts = cast("list[object]", content) if isinstance(content, list) else [content]
    return "\n".join(
        visible(part.text) if isinstance(part, types.TextContent) else f"[{type(part).__name__}]"
        for part in parts
    )


def _question(server: str, request: ModelRequest) -> ApprovalRequest:
    asked: JSONObject = {
        "messages": [{"role": one.role, "text": one.text} for one in request.messages]
    }
    return ApprovalRequest(
        id=new_id("approval"),
        call_id="",
        tool="sampling",
        title=f"The MCP server {server} asks your model: {json.dumps(asked, ensure_ascii=False)}",
        effect=Effect.NETWORK,
        arguments=asked,
        reason="The answer goes to the server, and the question costs you tokens.",
        server=server,
    )
