"""write_to_file: a file's whole content."""

from typing import Final

from hackamore.core.changes import FileChange
from hackamore.core.effects import Effect
from hackamore.core.text_file import TextFile
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters
from hackamore.tools.changed_file import Existing, FileWriter

_SPEC: Final = ToolSpec(
    name="write_to_file",
    description=(
        "Write a file of the workspace: content becomes all of it. Makes missing folders. To "
        "change a part of a file, use replace_in_file."
    ),
    parameters=parameters(
        {
            "path": described("string", "The file, relative to the workspace."),
            "content": described("string", "The complete content, nothing left out."),
        },
        required=["path", "content"],
    ),
    effect=Effect.WRITE,
    verbatim=frozenset(["content"]),
    example={"path": "src/greeting.py", "content": 'print("Hello")\n'},
    path_parameter="path",
)


class WriteToFile(BuiltinTool):
    """Writes in the manner of the file that was there: encoding, mark, line ends."""

    spec = _SPEC

    def __init__(self, writer: FileWriter) -> None:
        self._writer = writer

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Write, and say what changed."""
        del context
        before, after = await self._plan(arguments)
        change = await self._writer.write(before, after)
        lines = len(after.text.splitlines())
        verb = "Created" if change.kind == "created" else "Wrote"
        return ToolOutput(
            text=f"{verb} {change.path} ({lines} lines).",
            structured={"path": change.path, "kind": change.kind},
            changes=(change,),
            summary=f"{change.kind}, {lines} lines",
        )

    async def foresee(self, arguments: Arguments) -> tuple[FileChange, ...]:
        """Return the change, for the person who is asked."""
        before, after = await self._plan(arguments)
        return (before.change_to(after),)

    async def _plan(self, arguments: Arguments) -> tuple[Existing, TextFile]:
        before = await self._writer.existing(arguments.text("path"))
        content = arguments.text("content")
        return before, before.file.adopt(content)
