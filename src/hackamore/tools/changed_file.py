"""One file before and after a change: read, checked against what the model saw, written."""

from dataclasses import dataclass

from hackamore.core.changes import FileChange
from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError
from hackamore.core.text_file import TextFile
from hackamore.core.workspace import Workspace
from hackamore.tools.read_file import as_text, read
from hackamore.tools.read_log import ReadLog


@dataclass(frozen=True, slots=True)
class Existing:
    """A file as it is; `data` is None where there is none."""

    path: str
    data: bytes | None
    file: TextFile

    @property
    def text(self) -> str | None:
        """Its text, or None where there is none."""
        return None if self.data is None else self.file.text

    def change_to(self, file: TextFile) -> FileChange:
        """Return what changes when `file` is written."""
        return FileChange(self.path, self.text, file.text)


class FileWriter:
    """Writes text files so that nothing is lost that the model has not seen."""

    def __init__(self, workspace: Workspace, log: ReadLog) -> None:
        self._workspace = workspace
        self._log = log
        self._originals: dict[str, Existing] = {}

    async def existing(self, path: str) -> Existing:
        """Return the file as it is now.

        Raises:
            WorkspaceError: It is no text file, or changed since the model saw it.
        """
        try:
            found = await read(self._workspace, path)
        except WorkspaceError as error:
            if error.code is not Code.NOT_FOUND:
                raise
            return Existing(path.removeprefix("./"), None, TextFile(""))
        file = as_text(found)
        self._log.check(found.path, found.data, file.text)
        return Existing(found.path, found.data, file)

    async def write(self, before: Existing, after: TextFile) -> FileChange:
        """Write it, if the file still is what `before` says.

        Raises:
            WorkspaceError: It cannot be written, or changed meanwhile.
        """
        data = after.encode()
        await self._workspace.write(before.path, data, expected=before.data)
        self._originals.setdefault(before.path, before)
        self._log.note(before.path, data, after.text)
        return before.change_to(after)

    async def remove(self, before: Existing) -> FileChange:
        """Remove it, if the file still is what `before` says.

        Raises:
            WorkspaceError: There is none, it cannot be removed, or it changed meanwhile.
        """
        if before.data is None:
            raise WorkspaceError(f"{before.path} does not exist.", code=Code.NOT_FOUND)
        await self._workspace.remove(before.path, expected=before.data)
        self._originals.setdefault(before.path, before)
        self._log.forget(before.path)
        return FileChange(before.path, before.text, None)

    def original(self, path: str) -> Existing:
        """Return a file as it was before this session first changed it.

        Raises:
            WorkspaceError: This session did not change it.
        """
        found = self._originals.get(path.removeprefix("./"))
        if found is None:
            raise WorkspaceError(f"{path} was not changed here.", code=Code.NOT_FOUND)
        return found

    async def restore(self, path: str) -> FileChange:
        """Put a file back byte for byte, if it still is what this session last wrote.

        Raises:
            WorkspaceError: This session did not change it, or somebody else did meanwhile.
        """
        original = self.original(path)
        now = await self.existing(original.path)
        if original.data is None:
            return await self.remove(now)
        await self._workspace.write(original.path, original.data, expected=now.data)
        self._log.note(original.path, original.data, original.file.text)
        return now.change_to(original.file)
