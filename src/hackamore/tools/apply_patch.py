"""apply_patch: several files at once, by a patch; all of it or nothing."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.edit import FilePatch, PatchLanguage
from hackamore.core.effects import Effect
from hackamore.core.errors import EditError, HackamoreError, WorkspaceError
from hackamore.core.text_file import TextFile
from hackamore.core.tools import ToolContext, ToolOutput, ToolSpec, Touch
from hackamore.tools.arguments import Arguments
from hackamore.tools.builtin_tool import BuiltinTool, described, parameters
from hackamore.tools.changed_file import Existing, FileWriter

_EXAMPLE: Final = """\
*** Begin Patch
*** Update File: src/main.py
@@ def greet():
-    print("hi")
+    print("hello")
*** End Patch"""
_SPEC: Final = ToolSpec(
    name="apply_patch",
    description=(
        "Change, add, move or delete files by one patch: a unified diff as git writes it, or\n"
        f"{_EXAMPLE}\n"
        "with '*** Add File: ', '*** Delete File: ' and '*** Move to: ' besides. All is applied "
        "or nothing."
    ),
    parameters=parameters({"patch": described("string", "The patch.")}, required=["patch"]),
    effect=Effect.WRITE,
    verbatim=frozenset(["patch"]),
    example={"patch": _EXAMPLE},
)


@dataclass(frozen=True, slots=True)
class _Step:
    """One file to write, or (`after` is None) to remove."""

    before: Existing
    after: TextFile | None


class ApplyPatch(BuiltinTool):
    """Plans the whole patch first; what fails halfway is taken back."""

    spec = _SPEC

    def __init__(self, writer: FileWriter, patches: PatchLanguage) -> None:
        self._writer = writer
        self._patches = patches

    def touched(self, arguments: Arguments) -> Touch:
        """Return all files that the patch names."""
        files = self._patches.read(arguments.text("patch"))
        named = (path for one in files for path in (one.path, one.moved_to) if path is not None)
        return Touch(tuple(dict.fromkeys(named)))

    async def perform(self, arguments: Arguments, context: ToolContext) -> ToolOutput:
        """Apply the patch and show the difference."""
        del context
        changes = await self._write(await self._plan(arguments))
        shown = "\n".join(change.diff() or f"{change.path}: {change.kind}" for change in changes)
        return ToolOutput(
            text=f"Changed {len(changes)} files:\n{shown}",
            structured={"files": [{"path": one.path, "kind": one.kind} for one in changes]},
            changes=changes,
            summary=f"{len(changes)} files",
        )

    async def foresee(self, arguments: Arguments) -> tuple[FileChange, ...]:
        """Return the changes, for the person who is asked."""
        return tuple(_change(step) for step in await self._plan(arguments))

    async def _plan(self, arguments: Arguments) -> Sequence[_Step]:
        files = self._patches.read(arguments.text("patch"))
        steps = [step for file in files for step in await self._steps(file)]
        paths = [step.before.path for step in steps]
        if twice := next((path for path in paths if paths.count(path) > 1), None):
            raise EditError(
                f"The patch names {twice} twice. Nothing was changed.",
                hint="Put all its changes under one heading.",
                code=Code.INVALID_REQUEST,
            )
        return steps

    async def _steps(self, file: FilePatch) -> list[_Step]:
        """Return what one file's part of the patch does; a move is a new file and a removal."""
        before = await self._writer.existing(file.path)
        if file.kind == "add":
            _check_free(before)
            return [_Step(before, self._apply(before, file))]
        if before.data is None:
            raise WorkspaceError(f"{file.path} does not exist.", code=Code.NOT_FOUND)
        if file.kind == "delete":
            return [_Step(before, None)]
        after = self._apply(before, file)
        if file.moved_to is None and after == before.file:
            raise EditError(
                f"{file.path}: the patch changes nothing.",
                hint="Give the lines that go (-) and come (+).",
                code=Code.INVALID_REQUEST,
            )
        if file.moved_to is None:
            return [_Step(before, after)]
        target = await self._writer.existing(file.moved_to)
        _check_free(target)
        return [_Step(target, after), _Step(before, None)]

    def _apply(self, before: Existing, file: FilePatch) -> TextFile:
        try:
            return before.file.with_text(self._patches.apply(before.file.text, file))
        except EditError as error:
            raise EditError(
                f"{file.path}: {error.message}", hint=error.hint, code=error.code
            ) from error

    async def _write(self, steps: Sequence[_Step]) -> tuple[FileChange, ...]:
        done: list[FileChange] = []
        try:
            for step in steps:
                done.append(await self._take(step))  # noqa: PERF401  # needed when one fails
        except (HackamoreError, asyncio.CancelledError):
            await asyncio.shield(self._take_back(steps[: len(done)]))
            raise
        return tuple(done)

    async def _take(self, step: _Step) -> FileChange:
        if step.after is None:
            return await self._writer.remove(step.before)
        return await self._writer.write(step.before, step.after)

    async def _take_back(self, steps: Sequence[_Step]) -> None:
        """Put back what was changed before a later step failed."""
        for step in reversed(steps):
            now = await self._writer.existing(step.before.path)
            if step.before.data is None:
                await self._writer.remove(now)
            else:
                await self._writer.write(now, step.before.file)


def _check_free(target: Existing) -> None:
    if target.data is not None:
        raise EditError(
            f"{target.path} exists already. Nothing was changed.",
            hint="Update it instead, or delete it first.",
            code=Code.INVALID_REQUEST,
        )


def _change(step: _Step) -> FileChange:
    after = None if step.after is None else step.after.text
    return FileChange(step.before.path, step.before.text, after)
