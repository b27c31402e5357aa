"""read_file: a text file, whole or some lines of it."""

import hashlib
from typing import Final

from hackamore.core.bounded import bounded
from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.errors import WorkspaceError
from hackamore.core.text_file import NotText, TextFile, decode, split_lines, with_plain_line_ends
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.core.workspace import FileData, Workspace
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters
from hackamore.tools.read_log import ReadLog

_SPEC: Final = ToolSpec(
    name="read_file",
    description="Read a text file of the workspace, whole or from start_line to end_line.",
    parameters=parameters(
        {
            "path": described("string", "The file, relative to the workspace."),
            "start_line": described("integer", "The first line to read, counted from 1."),
            "end_line": described("integer", "The last line to read, included."),
        },
        required=["path"],
    ),
    effect=Effect.READ,
    example={"path": "src/main.py"},
    path_parameter="path",
)
_ADVICE: Final = {
    Code.NOT_A_FILE: "Use list_files to see a folder.",
    Code.FILE_TOO_LARGE: "Use search_files, or read parts of it with a command.",
}
_MAGIC: Final = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "an ELF program"),
    (b"SQLite format 3", "an SQLite database"),
)


class ReadFile(BuiltinTool):
    """Reads a file through the workspace and remembers what the model saw."""

    spec = _SPEC

    def __init__(self, workspace: Workspace, log: ReadLog) -> None:
        self._workspace = workspace
        self._log = log

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Read and bound."""
        del context
        found = await read(self._workspace, arguments.text("path"))
        file = as_text(found)
        self._log.note(found.path, found.data, file.text)
        lines = split_lines(file.text)
        first, last = _range(arguments, len(lines))
        part = with_plain_line_ends("".join(lines[first - 1 : last]))
        shown = bounded(part, "Read them with start_line and end_line.")
        whole = first == 1 and last >= len(lines)
        span = "" if whole else f", lines {first}-{min(last, len(lines))}"
        return ToolOutput(
            text=shown.text if part else _empty(len(lines), first),
            structured={
                "content": shown.text,
                "encoding": file.encoding,
                "snapshot_hash": hashlib.sha256(_utf8(file.text)).hexdigest(),
                "truncated": shown.truncated,
            },
            summary=f"{len(lines)} lines{span}",
        )


async def read(workspace: Workspace, path: str) -> FileData:
    """Read a file, with advice where it cannot be read.

    Raises:
        WorkspaceError: It cannot be read.
    """
    try:
        return await workspace.read(path)
    except WorkspaceError as error:
        hint = _ADVICE.get(error.code)
        if hint is None or error.hint:
            raise
        raise WorkspaceError(error.message, hint=hint, code=error.code) from error


def as_text(found: FileData) -> TextFile:
    """Return a file's text.

    Raises:
        WorkspaceError: BINARY_FILE, with what it seems to be.
    """
    try:
        return decode(found.data)
    except NotText:
        kinds = (words for magic, words in _MAGIC if found.data.startswith(magic))
        kind = next(kinds, "no text")
        raise WorkspaceError(
            f"{found.path} is a binary file ({kind}, {found.size:,} bytes).",
            hint="Use a command to look into it.",
            code=Code.BINARY_FILE,
        ) from None


def _range(arguments: Arguments, count: int) -> tuple[int, int]:
    first, last = arguments.integer("start_line"), arguments.integer("end_line")
    first = 1 if first is None else first
    last = max(count, first - 1) if last is None else last
    if first < 1 or last < first - 1:
        raise WorkspaceError(
            f"There are no lines {first} to {last}.",
            hint=f"The file has {count} lines, counted from 1.",
            code=Code.INVALID_REQUEST,
        )
    return first, last


def _empty(count: int, first: int) -> str:
    if count == 0:
        return "(The file is empty.)"
    return f"(The file has {count} lines; there is nothing from line {first} on.)"


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
