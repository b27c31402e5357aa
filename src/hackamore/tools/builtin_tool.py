"""What all built-in tools share: arguments are read, and failures become words for the model."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from hackamore.core.changes import FileChange
from hackamore.core.effects import Effect
from hackamore.core.errors import HackamoreError
from hackamore.core.json import JSON, JSONObject
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, Touch, failure
from hackamore.tools.arguments import Arguments


class BuiltinTool(ABC):
    """A tool that is part of Hackamore."""

    spec: ToolSpec

    def touches(self, arguments: JSONObject) -> Touch:
        """Return the path and the command that the arguments name, by whatever name.

        Raises:
            HackamoreError: The arguments make no sense; the call would fail.
        """
        return self.touched(Arguments(self.spec, arguments))

    async def run(self, arguments: JSONObject, context: ToolContext) -> ToolOutput:
        """Do it; what goes wrong is told to the model."""
        try:
            return await self.perform(Arguments(self.spec, arguments), context)
        except HackamoreError as error:
            return failure(str(error), error.code)

    async def preview(self, arguments: JSONObject) -> tuple[FileChange, ...]:
        """Return what would change; () when nothing would, or when it cannot be known."""
        try:
            return await self.foresee(Arguments(self.spec, arguments))
        except HackamoreError:
            return ()

    @abstractmethod
    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Do it.

        Raises:
            HackamoreError: It failed; the words go to the model.
        """

    def touched(self, arguments: Arguments) -> Touch:
        """Return what these arguments name.

        Raises:
            HackamoreError: They make no sense; the call would fail.
        """
        path = arguments.optional_text(self.spec.path_parameter or "")
        command = arguments.optional_text("command") if self.spec.effect is Effect.RUN else None
        return Touch(() if path is None else (path,), command)

    async def foresee(self, arguments: Arguments) -> tuple[FileChange, ...]:
        """Return what would change.

        Raises:
            HackamoreError: It would fail.
        """
        del arguments
        return ()


def parameters(properties: Mapping[str, JSON], required: Sequence[str] = ()) -> JSONObject:
    """Return a strict schema: these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def described(kind: str, words: str) -> JSONObject:
    """Return the schema of one parameter."""
    return {"type": kind, "description": words}
