"""list_files: what lies in a folder."""

from typing import Final

from hackamore.core.bounded import bounded
from hackamore.core.effects import Effect
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.core.workspace import Entry, Workspace
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters
from hackamore.tools.readable import on_one_line

_SPEC: Final = ToolSpec(
    name="list_files",
    description=(
        "List a folder of the workspace. With recursive, also everything below it, without what "
        "git ignores."
    ),
    parameters=parameters(
        {
            "path": described("string", "The folder, relative to the workspace; . is its root."),
            "recursive": described("boolean", "Whether to list what lies below, too."),
        },
        required=["path"],
    ),
    effect=Effect.READ,
    example={"path": "src", "recursive": True},
    path_parameter="path",
    names_folder=True,
)


class ListFiles(BuiltinTool):
    """Lists through the workspace."""

    spec = _SPEC

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """List and say when there is more."""
        del context
        path = arguments.text("path")
        found = await self._workspace.list(path, recursive=arguments.flag("recursive"))
        lines = [_line(entry) for entry in found.entries]
        if found.truncated:
            lines.append("(There is more. List a folder below, or search.)")
        text = bounded("\n".join(lines), "List a folder below.").text
        return ToolOutput(
            text=text or "(The folder is empty, or all that it holds is hidden or ignored.)",
            structured={
                "files": [entry.path for entry in found.entries if entry.kind == "file"],
                "folders": [entry.path for entry in found.entries if entry.kind == "folder"],
                "truncated": found.truncated,
            },
            summary=f"{len(found.entries)} entries{' and more' if found.truncated else ''}",
        )


def _line(entry: Entry) -> str:
    marks = {"folder": "/", "link": "@", "other": "?"}
    return on_one_line(entry.path) + marks.get(entry.kind, "")
