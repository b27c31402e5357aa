"""replace_in_file: parts of a file, found by their own text."""

from typing import Final

from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.edit import ApplyEdit
from hackamore.core.effects import Effect
from hackamore.core.errors import WorkspaceError
from hackamore.core.text_file import TextFile
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters
from hackamore.tools.changed_file import Existing, FileWriter

_EXAMPLE: Final = "------- SEARCH\nold line\n=======\nnew line\n+++++++ REPLACE"
_SPEC: Final = ToolSpec(
    name="replace_in_file",
    description=(
        "Change parts of a file. diff holds one or more blocks:\n"
        f"{_EXAMPLE}\n"
        "The lines under SEARCH must be in the file exactly once, whole lines, as they are there. "
        "All blocks are applied or none."
    ),
    parameters=parameters(
        {
            "path": described("string", "The file, relative to the workspace."),
            "diff": described("string", "One or more SEARCH/REPLACE blocks."),
        },
        required=["path", "diff"],
    ),
    effect=Effect.WRITE,
    verbatim=frozenset(["diff"]),
    example={"path": "src/main.py", "diff": _EXAMPLE},
    path_parameter="path",
)


class ReplaceInFile(BuiltinTool):
    """Applies the edit language to a file's text and keeps the file's manner."""

    spec = _SPEC

    def __init__(self, writer: FileWriter, apply_edit: ApplyEdit) -> None:
        self._writer = writer
        self._apply = apply_edit

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Edit, and show the difference."""
        del context
        before, after = await self._plan(arguments)
        change = await self._writer.write(before, after)
        return ToolOutput(
            text=f"Changed {change.path}:\n{change.diff()}",
            structured={"path": change.path, "kind": change.kind, "diff": change.diff()},
            changes=(change,),
            summary=_counted(change),
        )

    async def foresee(self, arguments: Arguments) -> tuple[FileChange, ...]:
        """Return the change, for the person who is asked."""
        before, after = await self._plan(arguments)
        return (before.change_to(after),)

    async def _plan(self, arguments: Arguments) -> tuple[Existing, TextFile]:
        path = arguments.text("path")
        before = await self._writer.existing(path)
        edited = self._apply(before.file.text, arguments.text("diff"))
        if before.data is None and not edited:
            raise WorkspaceError(f"{path} does not exist.", code=Code.NOT_FOUND)
        return before, before.file.with_text(edited)


def _counted(change: FileChange) -> str:
    lines = change.diff().splitlines()[2:]
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    return f"+{added} -{removed}"
