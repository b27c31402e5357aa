"""Servers that ask or tell the client something during a call, or answer under wrong ids."""

import json
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from servers.faults.options import Options
from servers.faults.server import Call, Channel, Message, Server, said

_FORM: Final[Message] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name"},
        "size": {"type": "string", "enum": ["small", "large"], "default": "small"},
        "count": {"type": "integer", "minimum": 1, "default": 2},
        "sure": {"type": "boolean", "default": True},
    },
    "required": ["name"],
}
_PAGE: Final[Message] = {
    "mode": "url",
    "message": "Please sign in.",
    "url": "https://example.com/sign-in?x=1",
    "elicitationId": "sign-in-1",
}
_HELLO: Final[Message] = {"role": "user", "content": {"type": "text", "text": "Say hello."}}
_QUESTIONS: Final[Mapping[str, tuple[str, Message]]] = {
    "ask-roots": ("roots/list", {}),
    "ask-form": ("elicitation/create", {"message": "Who are you?", "requestedSchema": _FORM}),
    "ask-url": ("elicitation/create", _PAGE),
    "ask-sampling": ("sampling/createMessage", {"messages": [_HELLO], "maxTokens": 50}),
    "ask-unknown": ("coffee/brew", {}),
}


class Question(Server):
    """Asks the client in each call, and says its whole answer as text."""

    def __init__(self, options: Options, method: str, params: Message) -> None:
        super().__init__(options)
        self._method = method
        self._params = params

    def call(self, call: Call) -> Message:
        answer = self.ask(call.channel, self._method, self._params)
        return said(json.dumps(answer.get("result", answer.get("error"))))


class PingSameId(Server):
    """Pings the client under the id of the call that it works on."""

    def call(self, call: Call) -> Message:
        self.ask_as(call.id, call.channel, "ping", {})
        return super().call(call)


class Progress(Server):
    """Reports progress, with and without a total, beyond it, and under a token of nobody."""

    def call(self, call: Call) -> Message:
        token: Any = call.meta.get("progressToken")
        for number in (1, 2, 3):
            if token is not None:
                self._progress(call.channel, token, number)
        self._progress(call.channel, "nobody's", 1)
        return super().call(call)

    def _progress(self, channel: Channel, token: Any, number: int) -> None:
        total = {"total": 2} if number > 1 else {}
        self.tell(
            channel,
            "notifications/progress",
            progressToken=token,
            progress=number,
            message=f"step {number}",
            **total,
        )


class Logging(Server):
    """Logs at several levels during a call, also what is no text and of no known level."""

    capabilities = MappingProxyType({"tools": {}, "logging": {}})

    def call(self, call: Call) -> Message:
        for level, data in (("debug", "fine"), ("error", {"disk": "full"}), ("shout", None)):
            self.tell(call.channel, "notifications/message", level=level, logger="db", data=data)
        self.tell(call.channel, "notifications/unheard_of", a=1)
        return super().call(call)


class WrongIds(Server):
    """Answers calls to nobody, under the id as text, and then properly and twice."""

    def call(self, call: Call) -> Message:
        nobody: Message = {"result": said("to nobody")}
        for number in (99_999_999, "nobody", None):
            call.channel.send({"jsonrpc": "2.0", "id": number, **nobody})
        return super().call(call)

    def reply(self, channel: Channel, number: int | str, reply: Message) -> None:
        super().reply(channel, number, reply)
        if "content" in reply.get("result", {}):
            super().reply(channel, number, {"result": said("the second answer")})


class TextId(Server):
    """Answers calls under the id as text, though it was a number."""

    def reply(self, channel: Channel, number: int | str, reply: Message) -> None:
        is_call = "content" in reply.get("result", {})
        super().reply(channel, str(number) if is_call else number, reply)


FAULTS = {
    **{
        name: partial(Question, method=method, params=params)
        for name, (method, params) in _QUESTIONS.items()
    },
    "ping-same-id": PingSameId,
    "progress": Progress,
    "logging": Logging,
    "wrong-ids": WrongIds,
    "text-id": TextId,
}
