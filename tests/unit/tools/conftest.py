"""The built-in tools over fakes, and a way to call one."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pytest

from hackamore.core.approval import ApprovalRequest, Decision
from hackamore.core.changes import FileChange
from hackamore.core.elicitation import NOBODY, ElicitationAnswer, ElicitationRequest
from hackamore.core.errors import EditError
from hackamore.core.events import Event
from hackamore.core.json import JSON
from hackamore.core.tools import Tool, ToolContext, ToolOutput
from hackamore.edits.patch import Patches
from hackamore.testing.fake_web import FakeWeb
from hackamore.testing.fake_workspace import FakeSandbox, FakeWorkspace
from hackamore.tools.builtin import builtin_tools


class Person:
    """A host that answers what it was told to."""

    def __init__(self) -> None:
        self.answer: str | None = None
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    async def approve(self, request: ApprovalRequest) -> Decision:
        raise AssertionError(request)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        return NOBODY

    async def ask(self, question: str, options: tuple[str, ...]) -> str | None:
        self.asked.append((question, options))
        return self.answer


def swap(text: str, diff: str) -> str:
    """Edit by ``old=>new``: enough of an edit language for these tests."""
    old, _, new = diff.partition("=>")
    if old not in text:
        raise EditError(f"{old} is not in the file.")
    return text.replace(old, new)


@dataclass
class Bench:
    """The tools, what they work on, and what they told."""

    workspace: FakeWorkspace
    sandbox: FakeSandbox
    web: FakeWeb = field(default_factory=FakeWeb)
    person: Person = field(default_factory=Person)
    events: list[Event] = field(default_factory=list[Event])
    tools: dict[str, Tool] = field(default_factory=dict[str, Tool])

    def __post_init__(self) -> None:
        tools = builtin_tools(self.workspace, self.sandbox, self.web, swap, Patches())
        self.tools = {tool.spec.name: tool for tool in tools}

    async def call(self, tool: str, **arguments: JSON) -> ToolOutput:
        context = ToolContext("call_1", self.events.append, self.person)
        return await self.tools[tool].run(arguments, context)

    async def preview(self, tool: str, **arguments: JSON) -> tuple[FileChange, ...]:
        return await self.tools[tool].preview(arguments)


MakeBench: TypeAlias = Callable[..., Bench]
Call: TypeAlias = Callable[..., Coroutine[Any, Any, ToolOutput]]


@pytest.fixture
def bench() -> MakeBench:
    def make(files: Mapping[str, str | bytes] | None = None, results: Any = None) -> Bench:
        return Bench(FakeWorkspace(files, hidden=(".env",)), FakeSandbox(results))

    return make
