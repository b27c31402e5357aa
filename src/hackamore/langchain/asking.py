"""One question to a model that asks for tools in text: what it is sent, what comes out of it."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, assert_never, cast

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    InvalidToolCall,
    SystemMessage,
)
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import Runnable

from hackamore.core.effects import Effect
from hackamore.core.format import (
    CallCut,
    CallDraft,
    CallMalformed,
    CallParsed,
    Format,
    FormatEvent,
    TextOut,
    ThinkingOut,
)
from hackamore.core.model import CallPiece, FinishReason, TextPiece, ThinkingPiece
from hackamore.core.tools import ToolSpec
from hackamore.langchain.pieces import finish_reason, pieces_of
from hackamore.langchain.text_history import as_text

_MUST: Final = "You must call a tool in this answer."
_MUST_NAMED: Final = "You must call the tool {name} in this answer."


@dataclass(frozen=True, slots=True)
class _Native:
    """Tools for the provider's own interface."""

    tools: list[dict[str, Any]]
    choice: str | None


class Asking:
    """Asks, reads, and asks again when no call of an answer could be read.

    Attributes:
        messages: What to send to the inner model.
        stop: Where it has to stop.
        settings: What else it is called with.
    """

    def __init__(
        self,
        tool_format: Format,
        messages: list[BaseMessage],
        stop: list[str],
        settings: dict[str, Any],
        corrections: int,
    ) -> None:
        self._format = tool_format
        self.settings = dict(settings)
        tools = cast(list[dict[str, Any]], self.settings.pop("tools", None) or [])
        choice = _named(self.settings.pop("tool_choice", None))
        if choice == "none":
            tools = []
        self._specs = [_spec(tool["function"]) for tool in tools]
        self.messages = self._with_tools(as_text(messages, tool_format), choice)
        self._native = _Native(tools, choice) if tool_format.native and tools else None
        self.stop = [*stop, *(tool_format.stop if tools else ())] or None
        self._tries = corrections + 1
        self._begin()

    def runnable(self, model: BaseChatModel) -> Runnable[LanguageModelInput, AIMessage]:
        """Return what to ask: the model, with the tools where the format offers them natively."""
        if self._native is None:
            return model
        return model.bind_tools(self._native.tools, tool_choice=self._native.choice)

    def _begin(self) -> None:
        self._parser = self._format.parser(self._specs)
        self._raw = ""
        self._finish: FinishReason = "unknown"
        self._calls = 0
        self._problems: list[str] = []

    def go_on(self) -> bool:
        """Return whether to ask (again), and be ready for the answer."""
        if self._tries == 0:
            return False
        self._tries -= 1
        if self._problems:
            said = AIMessage(self._raw or "(nothing)")
            self.messages = [*self.messages, said, HumanMessage("\n\n".join(self._problems))]
        self._begin()
        return True

    def take(self, chunk: AIMessage) -> Iterator[ChatGenerationChunk]:
        """Take a piece of the inner model's answer; yield what is certain by now."""
        self._finish = finish_reason(chunk) or self._finish
        for piece in pieces_of(chunk):
            match piece:
                case TextPiece(text=text):
                    self._raw += text
                    yield from self._given(self._parser.feed(text))
                case ThinkingPiece(text=text):
                    yield from self._given((ThinkingOut(text),))
                case CallPiece():
                    yield from self._given(self._parser.feed_call(piece))
                case _:
                    pass
        if chunk.usage_metadata is not None:
            yield _chunk(AIMessageChunk(content="", usage_metadata=chunk.usage_metadata))

    def end(self) -> Iterator[ChatGenerationChunk]:
        """The answer is over: yield what was held back; decide whether to ask again."""
        yield from self._given(self._parser.close(self._finish))
        if self._calls or not self._problems:
            self._tries = 0
        if self._tries == 0:
            reason = "tool_calls" if self._calls else self._finish
            metadata = {"finish_reason": reason}
            yield _chunk(
                AIMessageChunk(content="", response_metadata=metadata, chunk_position="last")
            )

    def _given(self, events: Iterable[FormatEvent]) -> Iterator[ChatGenerationChunk]:
        for event in events:
            match event:
                case TextOut(text=text):
                    yield _chunk(AIMessageChunk(content=text))
                case ThinkingOut(text=text):
                    thought = {"reasoning_content": text}
                    yield _chunk(AIMessageChunk(content="", additional_kwargs=thought))
                case CallParsed(call=call):
                    arguments = json.dumps(call.arguments, ensure_ascii=False)
                    whole = tool_call_chunk(
                        name=call.name, args=arguments, id=call.id, index=self._calls
                    )
                    self._calls += 1
                    yield _chunk(AIMessageChunk(content="", tool_call_chunks=[whole]))
                case CallMalformed() | CallCut():
                    self._problems.append(event.problem)
                    if self._tries == 0:
                        yield _chunk(
                            AIMessageChunk(content="", invalid_tool_calls=[_invalid(event)])
                        )
                case CallDraft():
                    pass
                case _:
                    assert_never(event)

    def _with_tools(self, messages: list[BaseMessage], choice: str | None) -> list[BaseMessage]:
        """Tell of the tools in the system message, which stands first."""
        words = self._format.instructions(self._specs) if self._specs else ""
        if self._format.native:
            return messages
        if self._specs and choice and choice not in ("auto", "none"):
            named = choice in {spec.name for spec in self._specs}
            words += "\n\n" + (_MUST_NAMED.format(name=choice) if named else _MUST)
        if not words:
            return messages
        if messages and isinstance(messages[0], SystemMessage):
            return [SystemMessage(f"{messages[0].text}\n\n{words}"), *messages[1:]]
        return [SystemMessage(words), *messages]


def _named(choice: Any) -> str | None:  # noqa: ANN401 - LangChain allows several kinds
    """Return a tool choice as a word: ``any``, ``none``, or a tool's name."""
    if isinstance(choice, dict):
        function = cast(dict[str, Any], choice).get("function", {})
        return str(function.get("name", "any"))
    return "any" if choice is True else choice


def _spec(function: dict[str, Any]) -> ToolSpec:
    """Return a tool that somebody else defined; it is taken to be able to do anything."""
    return ToolSpec(
        name=function["name"],
        description=function.get("description", ""),
        parameters=function.get("parameters") or {"type": "object", "properties": {}},
        effect=Effect.RUN,
    )


def _invalid(event: CallMalformed | CallCut) -> InvalidToolCall:
    """Return a call that cannot run.

    Its ``args`` are the reason in words. LangChain reads arguments again when chunks are joined,
    and would complete what was cut off into a call that looks whole.
    """
    return InvalidToolCall(
        type="invalid_tool_call",
        name=event.call.name,
        args=f"unreadable: {event.problem}",
        id=event.call.id,
        error=event.problem,
    )


def _chunk(message: AIMessageChunk) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=message)
