"""`LocalChatModel`: a model on this machine as a LangChain chat model.

With tools bound, its answers are guided: a call comes whole, one in an answer, and fits the tool's
schema. The same call is not made twice for one wish of the person: the model then has to answer in
words, so that an agent's loop comes to an end.
"""

import asyncio
import functools
import json
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    InvalidToolCall,
    UsageMetadata,
)
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ConfigDict, SkipValidation

from hackamore.core.generator import CallGrammar, Generated, Piece, TextGenerator
from hackamore.core.ids import new_id
from hackamore.langchain.local_calls import CallText, grammar_for, made_already
from hackamore.langchain.local_turns import to_turns


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

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | dict[str, Any] | bool | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Return a model that may call `tools`; `tool_choice` names one, or is ``any``."""
        schemas = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=schemas, tool_choice=tool_choice, **kwargs)

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
        answer = self._astream(messages, stop, run_manager, **kwargs)
        chunks = [chunk.message async for chunk in answer]
        whole = add_ai_message_chunks(*(one for one in chunks if isinstance(one, AIMessageChunk)))
        message = AIMessage(
            content=whole.content,
            tool_calls=whole.tool_calls,
            invalid_tool_calls=whole.invalid_tool_calls,
            usage_metadata=whole.usage_metadata,
            response_metadata=whole.response_metadata,
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> AsyncIterator[ChatGenerationChunk]:
        tools: list[dict[str, Any]] = kwargs.get("tools") or []
        ask = functools.partial(
            self.generator.generate,
            to_turns(messages, tools),
            stop=tuple(stop or ()),
            max_tokens=int(kwargs.get("max_tokens") or self.max_tokens),
        )
        first = grammar_for(tools, kwargs.get("tool_choice"))
        ends: list[Generated] = []
        text = CallText()
        for form in (first, CallGrammar()):
            text = CallText()
            async with aclosing(_words(ask(grammar=form), text, ends)) as chunks:
                async for chunk in chunks:
                    if run_manager is not None:
                        await run_manager.on_llm_new_token(str(chunk.text), chunk=chunk)
                    yield chunk
            call = text.call()
            if call is None or not made_already(*call, messages):
                break
        yield _call_chunk(text)
        yield _last_chunk(ends, self.model, called=text.call() is not None)


async def _words(
    answer: AsyncGenerator[Piece | Generated, None], text: CallText, ends: list[Generated]
) -> AsyncGenerator[ChatGenerationChunk, None]:
    """Yield the words of an answer; `text` keeps its call, `ends` gets how it ended."""
    async with aclosing(answer) as parts:
        async for part in parts:
            if isinstance(part, Generated):
                ends.append(part)
                words = text.close()
            else:
                words = text.feed(part.text)
            if words:
                yield ChatGenerationChunk(message=AIMessageChunk(content=words))


def _call_chunk(text: CallText) -> ChatGenerationChunk:
    """Return the call of an answer, whole; one that was cut off is told as invalid."""
    call = text.call()
    if call is not None:
        arguments = json.dumps(call[1], ensure_ascii=False)
        whole = tool_call_chunk(name=call[0], args=arguments, id=new_id("call"), index=0)
        return ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[whole]))
    if not text.cut_off:
        return ChatGenerationChunk(message=AIMessageChunk(content=""))
    invalid = InvalidToolCall(
        type="invalid_tool_call",
        name=None,
        args=text.cut_off,
        id=new_id("call"),
        error="The call was cut off, since the answer was too long.",
    )
    return ChatGenerationChunk(message=AIMessageChunk(content="", invalid_tool_calls=[invalid]))


@functools.cache
def _sync_loop() -> asyncio.AbstractEventLoop:
    """Return the loop that serves callers without one; its thread ends with the program."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="local-model", daemon=True).start()
    return loop


def _last_chunk(ends: Sequence[Generated], model: str, *, called: bool) -> ChatGenerationChunk:
    read = sum(end.prompt_tokens for end in ends)
    written = sum(end.output_tokens for end in ends)
    usage = UsageMetadata(
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
        input_token_details={"cache_read": sum(end.cached_tokens for end in ends)},
    )
    reason = "tool_calls" if called else ends[-1].reason
    metadata = {"finish_reason": reason, "model_name": model}
    return ChatGenerationChunk(
        message=AIMessageChunk(
            content="", usage_metadata=usage, response_metadata=metadata, chunk_position="last"
        )
    )
