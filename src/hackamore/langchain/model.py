"""Any LangChain chat model as a core `Model`: streamed, with raw calls, and errors we know."""

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.runnables import Runnable

from hackamore.core.errors import ModelBusy, ModelError
from hackamore.core.model import (
    CallPiece,
    Finished,
    FinishReason,
    ModelEvent,
    ModelProfile,
    ModelRequest,
    TextPiece,
    ThinkingPiece,
    UsageReport,
)
from hackamore.core.tools import ToolSpec
from hackamore.langchain.faults import model_error
from hackamore.langchain.messages import to_langchain

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


class LangChainModel:
    """A chat model that LangChain speaks to.

    Tool calls are given on as the raw pieces that the provider sent: LangChain's own joining
    completes arguments that were cut off, and such a call must never run.
    """

    def __init__(
        self, model: BaseChatModel, profile: ModelProfile, *, says_why_it_ends: bool = False
    ) -> None:
        """Wrap a chat model.

        Args:
            model: LangChain's model.
            profile: What is known of it.
            says_why_it_ends: Its provider always gives a finish reason, so that an answer without
                one was cut off.
        """
        self._model = model
        self._says_why_it_ends = says_why_it_ends
        self.profile = profile

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the answer piece by piece, `Finished` last.

        Raises:
            ModelError: The provider refused or failed; see its subclasses.
        """
        reason: FinishReason = "unknown"
        try:
            async for chunk in self._runnable(request).astream(
                to_langchain(request.messages), stop=list(request.stop) or None
            ):
                for piece in _pieces(chunk):
                    yield piece
                reason = _reason(chunk) or reason
        except ModelError:
            raise
        except Exception as error:  # every SDK has its own classes
            raise model_error(error, self.profile.name) from error
        if reason == "unknown" and self._says_why_it_ends:
            raise ModelBusy(f"{self.profile.name}: the connection ended before the answer did.")
        yield Finished(reason)

    def _runnable(self, request: ModelRequest) -> Runnable[LanguageModelInput, AIMessage]:
        if not request.tools:
            return self._model
        return self._model.bind_tools([_offer(spec) for spec in request.tools])


def _offer(spec: ToolSpec) -> dict[str, Any]:
    """Return a tool as LangChain wants it: OpenAI's form, which it translates for the others."""
    return {
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": spec.parameters,
        },
    }


def _pieces(chunk: AIMessage) -> Iterator[ModelEvent]:
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
    elif kind in ("thinking", "reasoning"):
        text = block.get("thinking") or block.get("reasoning") or ""
        if text:
            yield ThinkingPiece(str(text))


def _reason(chunk: AIMessage) -> FinishReason | None:
    metadata = cast(Mapping[str, object], chunk.response_metadata)
    for name in ("finish_reason", "stop_reason", "done_reason", "status"):
        value = metadata.get(name)
        if isinstance(value, str) and value:
            return _REASONS.get(value.lower(), "stop")
    return None
