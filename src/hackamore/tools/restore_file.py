"""restore_file: a file as it was before this session changed it. For recipes, not for models."""

from typing import Final

from hackamore.core.changes import FileChange
from hackamore.core.effects import Effect
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters
from hackamore.tools.changed_file import FileWriter

_SPEC: Final = ToolSpec(
    name="restore_file",
    description="Put a file back byte for byte as it was before it was changed here.",
    parameters=parameters(
        {"path": described("string", "The file, relative to the workspace.")}, required=["path"]
    ),
    effect=Effect.WRITE,
    path_parameter="path",
    offered=False,
)


class RestoreFile(BuiltinTool):
    """Takes back what this session wrote, and nothing that somebody else did."""

    spec = _SPEC

    def __init__(self, writer: FileWriter) -> None:
        self._writer = writer

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Put it back."""
        del context
        change = await self._writer.restore(arguments.text("path"))
        return ToolOutput(
            text=f"{change.path} is as it was.", changes=(change,), summary="as it was before"
        )

    async def foresee(self, arguments: Arguments) -> tuple[FileChange, ...]:
        """Return the change back."""
        original = self._writer.original(arguments.text("path"))
        now = await self._writer.existing(original.path)
        return (FileChange(original.path, now.text, original.text),)
