"""What a chunk of a LangChain chat model says, as pieces of core."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from langchain_core.messages import AIMessage, AIMessageChunk

from hackamore.core.model import (
    CallPiece,
    FinishReason,
    ModelEvent,
    TextPiece,
    ThinkingPiece,
    UsageReport,
)

_REASONS: Final[Mapping[str, FinishReason]] = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "completed": "stop",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "incomplete": "length",
    "content_filter": "filter",
    "safety": "filter",
    "refusal": "filter",
}


def pieces_of(chunk: AIMessage) -> Iterator[ModelEvent]:
    """Yield thoughts, text, raw pieces of calls, and usage."""
    yield from _reasoning(chunk)
    yield from _content(chunk.content)
    if isinstance(chunk, AIMessageChunk):
        for position, call in enumerate(chunk.tool_call_chunks):
            index = call.get("index")
            yield CallPiece(
                index=index if isinstance(index, int) else position,
                id=call.get("id") or "",
                name=call.get("name") or "",
                arguments=call.get("args") or "",
            )
    if usage := chunk.usage_metadata:
        cached = usage.get("input_token_details", {}).get("cache_read", 0)
        yield UsageReport(usage["input_tokens"], usage["output_tokens"], cached)


def _reasoning(chunk: AIMessage) -> Iterator[ModelEvent]:
    """Yield reasoning that a provider puts beside the content."""
    extra = cast(Mapping[str, object], chunk.additional_kwargs)
    for name in ("reasoning_content", "reasoning"):
        value = extra.get(name)
        if isinstance(value, str) and value:
            yield ThinkingPiece(value)
            return


def _content(content: str | Sequence[str | dict[Any, Any]]) -> Iterator[ModelEvent]:
    if isinstance(content, str):
        if content:
            yield TextPiece(content)
        return
    for block in content:
        yield from _block({"type": "text", "text": block} if isinstance(block, str) else block)


def _block(block: Mapping[str, object]) -> Iterator[ModelEvent]:
    """Yield what a content block says; calls come as chunks of their own."""
    kind = block.get("type")
    if kind == "text" and (text := block.get("text")):
        yield TextPiece(str(text))
    elif kind in ("thinking", "reasoning") and (text := _thought(block)):
        yield ThinkingPiece(text)


def _thought(block: Mapping[str, object]) -> str:
    """Return a thought's words; Mistral gives them as a list of texts."""
    value = block.get("thinking") or block.get("reasoning") or ""
    if not isinstance(value, list):
        return str(value)
    parts = cast(list[Mapping[str, object]], value)
    return "".join(str(part.get("text", "")) for part in parts)


def finish_reason(chunk: AIMessage) -> FinishReason | None:
    """Return why the answer ended, when this chunk says so."""
    metadata = cast(Mapping[str, object], chunk.response_metadata)
    for name in ("finish_reason", "stop_reason", "done_reason", "status"):
        value = metadata.get(name)
        if isinstance(value, str) and value:
            return _REASONS.get(value.lower(), "stop")
    return None
