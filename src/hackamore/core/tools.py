"""Tools: what an agent can do, whatever stands behind it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.content import Content
from hackamore.core.effects import Effect
from hackamore.core.events import Event
from hackamore.core.host import Host
from hackamore.core.json import JSON, JSONObject


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told of a tool, and what the policy judges it by.

    Attributes:
        name: Matches ``^[a-zA-Z0-9_-]{1,64}$``.
        description: For the model.
        parameters: JSON Schema (draft 2020-12) of the arguments; an object.
        effect: The worst that it can do.
        server: The MCP server that it comes from, if any.
        server_tool: Its name on that server.
        title: For people; may be empty.
        control: Steers the run itself (answer, question, plan); allowed in every mode.
        verbatim: Parameters whose text is kept to the byte (file content, edits, answers).
        example: Arguments that show a typical call; for text formats.
        path_parameter: The parameter that names a file or folder, if one does.
        names_folder: That path is a folder, and the call looks at all below it.
        offered: Models are told of it; False for what only recipes use.
        formats: The tool-call formats in which it is offered; None for all.
    """

    name: str
    description: str
    parameters: JSONObject
    effect: Effect
    server: str | None = None
    server_tool: str | None = None
    title: str = ""
    control: bool = False
    verbatim: frozenset[str] = frozenset()
    example: JSONObject = field(default_factory=dict[str, JSON])
    path_parameter: str | None = None
    names_folder: bool = False
    offered: bool = True
    formats: frozenset[str] | None = None

    @property
    def properties(self) -> Mapping[str, JSONObject]:
        """The schema of each parameter, by name."""
        found = self.parameters.get("properties")
        if not isinstance(found, Mapping):
            return {}
        return {name: schema for name, schema in found.items() if isinstance(schema, Mapping)}

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the parameters that must be given."""
        found = self.parameters.get("required")
        if isinstance(found, str) or not isinstance(found, Sequence):
            return ()
        return tuple(str(name) for name in found)


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool gives back: a value also when it failed, since the model should read it.

    Attributes:
        text: For the model.
        is_error: The call did not do what was asked.
        code: Why not, where one of our codes says it.
        structured: The same as data, for editors.
        content: The parts of the result, where they are more than `text`.
        changes: Files that the call changed.
        summary: One short line for people, such as ``12 matches``; may be empty.
        answer: When set, the run ends and this is its answer.
    """

    text: str
    is_error: bool = False
    code: Code | None = None
    structured: JSON = None
    content: tuple[Content, ...] = ()
    changes: tuple[FileChange, ...] = ()
    summary: str = ""
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Touch:
    """What a call would touch; the policy goes by it.

    Attributes:
        paths: Files and folders that it names, relative to the workspace.
        command: The command line that it would run.
        url: The address that it would fetch.
    """

    paths: tuple[str, ...] = ()
    command: str | None = None
    url: str | None = None


def failure(text: str, code: Code) -> ToolOutput:
    """Build the output of a call that failed, for the model to read."""
    return ToolOutput(text, is_error=True, code=code)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a running call may use besides its arguments.

    Attributes:
        call_id: The call's id.
        emit: Tells the watchers something; returns at once.
        host: The person or the editor.
        headers: HTTP headers for this call alone, for tools that are reached by HTTP.
        watched: Somebody wants to know of progress.
    """

    call_id: str
    emit: Callable[[Event], None]
    host: Host
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    watched: bool = True


class Tool(Protocol):
    """Anything that an agent can call: built-in, MCP tool, function or another agent."""

    @property
    def spec(self) -> ToolSpec:
        """What the model is told."""
        ...

    def touches(self, arguments: JSONObject) -> Touch:
        """Return what the call would touch.

        Raises:
            HackamoreError: The arguments make no sense; the call would fail.
        """
        ...

    async def run(self, arguments: JSONObject, context: ToolContext) -> ToolOutput:
        """Do it. Failures that the model should read are outputs, not exceptions."""
        ...

    async def preview(self, arguments: JSONObject) -> tuple[FileChange, ...]:
        """Return what the call would change, for the person who is asked; () when unknown."""
        ...
