"""Answers in the shapes of OpenAI's chat protocol, streamed and whole (pure)."""

import json
from collections.abc import Iterator, Mapping

from hackamore.core.json import JSON, JSONObject
from hackamore.testing.fake_provider.script import Answer

_CHARACTERS_PER_TOKEN = 4


def stream_chunks(answer: Answer, model: str, asked: int) -> Iterator[JSONObject]:
    """Yield the chunks of a streamed answer. `asked` is the request's length in characters."""
    yield _chunk(model, {"role": "assistant", "content": ""})
    for piece in _cut(answer.reasoning, answer.chunk):
        yield _chunk(model, {"reasoning_content": piece})
    for piece in _cut(answer.text, answer.chunk):
        yield _chunk(model, {"content": piece})
    for index, call in enumerate(answer.calls):
        yield _chunk(model, {"tool_calls": [{"index": index, **_call(index, call, "")}]})
        for piece in _cut(_arguments(call), answer.chunk):
            function = {"arguments": piece}
            yield _chunk(model, {"tool_calls": [{"index": index, "function": function}]})
    yield _chunk(model, {}, finish_reason(answer))
    if answer.usage:
        yield {**_chunk(model, {}), "choices": [], "usage": _usage(answer, asked)}


def whole_answer(answer: Answer, model: str, asked: int) -> JSONObject:
    """Return an answer that is not streamed."""
    calls = [_call(index, call, _arguments(call)) for index, call in enumerate(answer.calls)]
    message: dict[str, JSON] = {"role": "assistant", "content": answer.text or None}
    if calls:
        message["tool_calls"] = calls
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason(answer)}],
        **({"usage": _usage(answer, asked)} if answer.usage else {}),
    }


def error_body(answer: Answer) -> JSONObject:
    """Return the body of an error."""
    return {"error": {"message": answer.error, "type": "fake_error", "code": None}}


def finish_reason(answer: Answer) -> str:
    """Return why the answer ends."""
    return answer.finish or ("tool_calls" if answer.calls else "stop")


def _chunk(model: str, delta: JSONObject, finish: str | None = None) -> dict[str, JSON]:
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def _call(index: int, call: Mapping[str, JSON], arguments: str) -> dict[str, JSON]:
    function: JSONObject = {"name": call["name"], "arguments": arguments}
    return {"id": call.get("id", f"call_{index}"), "type": "function", "function": function}


def _arguments(call: Mapping[str, JSON]) -> str:
    arguments = call.get("arguments", {})
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False)


def _usage(answer: Answer, asked: int) -> JSONObject:
    written = (
        len(answer.text) + len(answer.reasoning) + sum(map(len, map(_arguments, answer.calls)))
    )
    tokens_in = -(-asked // _CHARACTERS_PER_TOKEN)
    tokens_out = -(-written // _CHARACTERS_PER_TOKEN)
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }


def _cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), max(1, size))]
