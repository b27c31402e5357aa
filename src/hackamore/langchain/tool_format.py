"""Tool calling for any chat model: a wrapper that asks in text and gives calls as LangChain's own.

The wrapped model is told of the tools in its system prompt, its answer is read by a `Format`, and
what it asks for comes out as ``tool_calls``. History goes the other way: calls and results become
the text that the format would have written.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Final

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.language_models.chat_models import agenerate_from_stream, generate_from_stream
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ConfigDict, SkipValidation

from hackamore.core.errors import ToolsUnsupported
from hackamore.core.format import Format
from hackamore.langchain.asking import Asking
from hackamore.langchain.faults import model_error

_UNSEEN: Final[RunnableConfig] = {"callbacks": []}
"""The inner model's raw text is nobody's business: watchers see the wrapper's answer."""


class ToolFormatModel(BaseChatModel):
    """A chat model that asks for tools in the text of its answers.

    Attributes:
        inner: The model that is asked.
        format: How it is told of tools and asks for them.
        fallback: The format to go on with when the provider takes no native tools.
        corrections: How often it is asked again when none of its calls could be read.
    """

    inner: BaseChatModel
    format: SkipValidation[Format]
    fallback: SkipValidation[Format | None] = None
    corrections: int = 2

    model_config = ConfigDict(arbitrary_types_allowed=True)

    @property
    def _llm_type(self) -> str:
        return f"hackamore-{self.format.name}"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
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
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> ChatResult:
        return await agenerate_from_stream(self._astream(messages, stop, run_manager, **kwargs))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> Iterator[ChatGenerationChunk]:
        asking = self._asking(self.format, messages, stop, kwargs)
        try:
            yield from self._asked(asking)
        except Exception as error:
            if self.fallback is None or not _takes_no_tools(error):
                raise
            self.format, self.fallback = self.fallback, None
            yield from self._asked(self._asking(self.format, messages, stop, kwargs))

    def _asked(self, asking: Asking) -> Iterator[ChatGenerationChunk]:
        while asking.go_on():
            for chunk in asking.runnable(self.inner).stream(
                asking.messages, _UNSEEN, stop=asking.stop, **asking.settings
            ):
                yield from asking.take(chunk)
            yield from asking.end()

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401 - LangChain's signature
    ) -> AsyncIterator[ChatGenerationChunk]:
        asking = self._asking(self.format, messages, stop, kwargs)
        try:
            async for piece in self._aasked(asking):
                yield piece
        except Exception as error:
            if self.fallback is None or not _takes_no_tools(error):
                raise
            self.format, self.fallback = self.fallback, None
            async for piece in self._aasked(self._asking(self.format, messages, stop, kwargs)):
                yield piece

    async def _aasked(self, asking: Asking) -> AsyncIterator[ChatGenerationChunk]:
        while asking.go_on():
            async for chunk in asking.runnable(self.inner).astream(
                asking.messages, _UNSEEN, stop=asking.stop, **asking.settings
            ):
                for piece in asking.take(chunk):
                    yield piece
            for piece in asking.end():
                yield piece

    def _asking(
        self,
        tool_format: Format,
        messages: list[BaseMessage],
        stop: list[str] | None,
        settings: dict[str, Any],
    ) -> Asking:
        return Asking(tool_format, messages, stop or [], settings, self.corrections)


def _takes_no_tools(error: Exception) -> bool:
    return isinstance(model_error(error, ""), ToolsUnsupported)
