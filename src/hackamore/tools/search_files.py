"""search_files: lines that match a regular expression."""

from typing import Final

from hackamore.core.bounded import bounded
from hackamore.core.effects import Effect
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.core.workspace import Match, Matches, Workspace
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters
from hackamore.tools.readable import on_one_line

_SPEC: Final = ToolSpec(
    name="search_files",
    description=(
        "Search the text files of a folder for a regular expression; shows each match with a "
        "line around it. Ignored and hidden files are not searched."
    ),
    parameters=parameters(
        {
            "path": described("string", "The folder or file to search; . is the workspace."),
            "regex": described("string", "The regular expression."),
            "file_pattern": described("string", "Only files like this, such as *.py."),
        },
        required=["path", "regex"],
    ),
    effect=Effect.READ,
    verbatim=frozenset(["regex"]),
    example={"path": "src", "regex": "def main", "file_pattern": "*.py"},
    path_parameter="path",
    names_folder=True,
)


class SearchFiles(BuiltinTool):
    """Searches through the workspace."""

    spec = _SPEC

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Search and show the matches by file."""
        del context
        found = await self._workspace.search(
            arguments.text("path"),
            arguments.text("regex"),
            glob=arguments.optional_text("file_pattern"),
        )
        return ToolOutput(
            text=bounded(_shown(found), "Search a folder below, or for less.").text,
            structured={
                "matches": [
                    {"path": m.path, "line": m.line, "text": m.text} for m in found.matches
                ],
                "files_searched": found.files_searched,
                "truncated": found.truncated,
            },
            summary=f"{len(found.matches)} matches{' and more' if found.truncated else ''}",
        )


def _shown(found: Matches) -> str:
    if not found.matches:
        early = " The search was cut short." if found.truncated else ""
        return f"Nothing matches in {found.files_searched} files.{early}"
    blocks: list[str] = []
    path = ""
    for match in found.matches:
        heading = f"{on_one_line(match.path)}\n" if match.path != path else ""
        path = match.path
        blocks.append(heading + _block(match))
    more = "\n(There is more. Search a folder below, or for less.)" if found.truncated else ""
    return "\n".join(blocks) + more


def _block(match: Match) -> str:
    first = match.line - len(match.before)
    lines = [f"  {first + index}  {text}" for index, text in enumerate(match.before)]
    lines.append(f"> {match.line}  {match.text}")
    lines += [f"  {match.line + 1 + index}  {text}" for index, text in enumerate(match.after)]
    return "\n".join(lines)
