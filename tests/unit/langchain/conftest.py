"""A core tool that remembers how it was called, for the tests of LangChain's side."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

import pytest

from hackamore.core.changes import FileChange
from hackamore.core.effects import Effect
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, Touch


class RecordingTool:
    """Answers with what it is given, or with what it is told to."""

    def __init__(
        self,
        answer: ToolOutput | Exception | Callable[[ToolContext], Awaitable[ToolOutput]],
        parameters: Any,
        **spec: Any,
    ) -> None:
        described: dict[str, Any] = {
            "name": "look",
            "description": "Look.",
            "effect": Effect.READ,
            **spec,
        }
        self.spec = ToolSpec(parameters=parameters, **described)
        self.calls: list[Any] = []
        self.contexts: list[ToolContext] = []
        self.tasks: list[asyncio.Task[Any] | None] = []
        self._answer = answer

    def touches(self, arguments: Any) -> Touch:
        return Touch()

    async def preview(self, arguments: Any) -> tuple[FileChange, ...]:
        return ()

    async def run(self, arguments: Any, context: ToolContext) -> ToolOutput:
        self.calls.append(arguments)
        self.contexts.append(context)
        self.tasks.append(asyncio.current_task())
        if isinstance(self._answer, Exception):
            raise self._answer
        if isinstance(self._answer, ToolOutput):
            return self._answer
        return await self._answer(context)


@pytest.fixture
def recording() -> Callable[..., RecordingTool]:
    """Makes a tool from its answer and the names, or the schema, of its parameters."""

    def make(answer: Any = "seen", parameters: Any = ("a",), **spec: Any) -> RecordingTool:
        if isinstance(parameters, Sequence):
            names = cast(Sequence[str], parameters)
            properties = {name: {"type": "string"} for name in names}
            parameters = {"type": "object", "properties": properties}
        answer = ToolOutput(answer) if isinstance(answer, str) else answer
        return RecordingTool(answer, parameters, **spec)

    return make
