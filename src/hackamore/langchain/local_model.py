"""`LocalChatModel`: a model on this machine as a LangChain chat model.

It speaks plain text only: `bind_tools` is not offered, a text format for tool calls is.
"""

import asyncio
import functools
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import ConfigDict, SkipValidation

from hackamore.core.generator import Generated, TextGenerator, Turn, TurnRole


class LocalChatModel(BaseChatModel):
    """A chat model over a `TextGenerator`; greedy, one answer at a time.

    Attributes:
        generator: The model.
        model: Its name.
        max_tokens: Of one answer.
    """

    generator: SkipValidation[TextGenerator]
    model: str = "local"
    max_tokens: int = 1024

    model_config = ConfigDict(arbitrary_types_allowed=True)

    @property
    def _llm_type(self) -> str:
        return "hackamore-local"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        """Answer a caller without an event loop.

        All such callers share one loop, in a thread of its own: a generator belongs to the loop
        that first used it, so a model is used either by `invoke` or by `ainvoke`.
        """
        answer = self._agenerate(messages, stop, None, **kwargs)
        return asyncio.run_coroutine_threadsafe(answer, _sync_loop()).result()

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        chunks = [chunk async for chunk in self._astream(messages, stop, run_manager, **kwargs)]
        text = "".join(str(chunk.message.content) for chunk in chunks)
        end = chunks[-1].message
        message = AIMessage(
            content=text,
            usage_metadata=end.usage_metadata if isinstance(end, AIMessageChunk) else None,
            response_metadata=end.response_metadata,
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> AsyncIterator[ChatGenerationChunk]:
        answer = self.generator.generate(
            to_turns(messages),
            stop=tuple(stop or ()),
            max_tokens=int(kwargs.get("max_tokens") or self.max_tokens),
        )
        async with aclosing(answer) as parts:
            async for part in parts:
                if isinstance(part, Generated):
                    yield _last_chunk(part, self.model)
                elif part.text:
                    chunk = ChatGenerationChunk(message=AIMessageChunk(content=part.text))
                    if run_manager is not None:
                        await run_manager.on_llm_new_token(part.text, chunk=chunk)
                    yield chunk


@functools.cache
def _sync_loop() -> asyncio.AbstractEventLoop:
    """Return the loop that serves callers without one; its thread ends with the program."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="local-model", daemon=True).start()
    return loop


def to_turns(messages: Sequence[BaseMessage]) -> list[Turn]:
    """Return the messages as turns; a tool's result is told as the person's words."""
    turns: list[Turn] = []
    for message in messages:
        role, text = _role(message), str(message.text)
        if turns and turns[-1].role == role:
            turns[-1] = Turn(role, f"{turns[-1].text}\n\n{text}")
        else:
            turns.append(Turn(role, text))
    return turns


def _role(message: BaseMessage) -> TurnRole:
    match message.type:
        case "system":
            return "system"
        case "ai" | "AIMessageChunk":
            return "assistant"
        case _:
            return "user"


def _last_chunk(end: Generated, model: str) -> ChatGenerationChunk:
    usage = UsageMetadata(
        input_tokens=end.prompt_tokens,
        output_tokens=end.output_tokens,
        total_tokens=end.prompt_tokens + end.output_tokens,
        input_token_details={"cache_read": end.cached_tokens},
    )
    metadata = {"finish_reason": end.reason, "model_name": model}
    return ChatGenerationChunk(
        message=AIMessageChunk(
            content="", usage_metadata=usage, response_metadata=metadata, chunk_position="last"
        )
    )
