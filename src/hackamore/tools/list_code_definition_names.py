"""list_code_definition_names: what the files of a folder define, without reading them whole."""

from collections.abc import Mapping
from typing import Final

from hackamore.core.bounded import bounded
from hackamore.core.codes import Code
from hackamore.core.effects import Effect
from hackamore.core.errors import WorkspaceError
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec
from hackamore.core.visible import visible
from hackamore.core.workspace import Command, Sandbox, Workspace
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters
from hackamore.tools.ctags import ctags_command, parse_ctags
from hackamore.tools.definitions import Definition, definitions_of
from hackamore.tools.readable import on_one_line

_MOST_NAMES: Final = 2_000
_MOST_FILES: Final = 100
_LARGEST: Final = 1024 * 1024
_SECONDS: Final = 2.0
_SPEC: Final = ToolSpec(
    name="list_code_definition_names",
    description=(
        "List the names that a source file, or each file directly in a folder, defines: classes, "
        "functions, methods and types with their line numbers."
    ),
    parameters=parameters(
        {"path": described("string", "A file or folder; . is the workspace's root.")},
        required=["path"],
    ),
    effect=Effect.READ,
    example={"path": "src"},
    path_parameter="path",
    names_folder=True,
)


class ListCodeDefinitionNames(BuiltinTool):
    """Asks ctags where the sandbox has it, and otherwise looks for itself."""

    spec = _SPEC

    def __init__(self, workspace: Workspace, sandbox: Sandbox) -> None:
        self._workspace = workspace
        self._sandbox = sandbox

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """List what there is, by file."""
        del context
        texts, more = await self._texts(arguments.text("path"))
        by_ctags = await self._by_ctags(texts)
        found = {path: _known(path, text, by_ctags) for path, text in texts.items()}
        found, cut = _bounded({path: names for path, names in found.items() if names})
        shown = "\n\n".join(_block(path, names) for path, names in found.items())
        fits = bounded(shown or "No definitions were found.", "List one file.")
        note = "\n\n(There are more files. List a folder below, or one file.)" if more else ""
        note += f"\n\n(Only the first {_MOST_NAMES:,} definitions are listed.)" if cut else ""
        return ToolOutput(
            text=fits.text + note,
            structured={
                "files": {
                    path: [{"kind": d.kind, "name": d.name, "line": d.line} for d in names]
                    for path, names in found.items()
                },
                "truncated": more or cut or fits.truncated,
            },
            summary=f"{sum(map(len, found.values()))} definitions in {len(found)} files",
        )

    async def _texts(self, path: str) -> tuple[dict[str, str], bool]:
        """Return the source files that `path` means, and whether there are more."""
        try:
            listing = await self._workspace.list(path, recursive=False)
        except WorkspaceError as error:
            if error.code not in (Code.NOT_FOUND, Code.NOT_A_FILE):
                raise
            data = await self._workspace.read(path, max_bytes=_LARGEST)
            return {data.path: data.data.decode("utf-8", "replace")}, False
        files = [e.path for e in listing.entries if e.kind == "file" and e.size <= _LARGEST]
        sources = [file for file in files if definitions_of(file, "") is not None]
        texts: dict[str, str] = {}
        for file in sources[:_MOST_FILES]:
            text = await self._text(file)
            if text is not None:
                texts[file] = text
        return texts, listing.truncated or len(sources) > _MOST_FILES

    async def _text(self, file: str) -> str | None:
        """Return a listed file's text; None when it may not be read or is gone."""
        try:
            data = await self._workspace.read(file, max_bytes=_LARGEST)
        except WorkspaceError:
            return None
        return data.data.decode("utf-8", "replace")

    async def _by_ctags(self, texts: Mapping[str, str]) -> Mapping[str, tuple[Definition, ...]]:
        if not texts:
            return {}
        result = await self._sandbox.execute(Command(ctags_command(tuple(texts)), timeout=_SECONDS))
        if result.exit_code != 0 or result.omitted:
            return {}
        return parse_ctags(result.output.decode("utf-8", "replace"))


def _bounded(
    found: Mapping[str, tuple[Definition, ...]],
) -> tuple[dict[str, tuple[Definition, ...]], bool]:
    """Return the first definitions, and whether there are more."""
    room = _MOST_NAMES
    kept: dict[str, tuple[Definition, ...]] = {}
    for path, names in found.items():
        if room:
            kept[path] = names[:room]
            room -= len(kept[path])
    return kept, sum(map(len, found.values())) > _MOST_NAMES


def _known(
    path: str, text: str, by_ctags: Mapping[str, tuple[Definition, ...]]
) -> tuple[Definition, ...]:
    return by_ctags.get(path) or definitions_of(path, text) or ()


def _block(path: str, names: tuple[Definition, ...]) -> str:
    return "\n".join([on_one_line(path), *map(_line, names)])


def _line(one: Definition) -> str:
    name = visible(on_one_line(one.name))
    return f"  {'  ' * one.depth}{one.kind} {name} (line {one.line})"
