"""The workspace's files as the rest of the program sees them: the port `Workspace`."""

import asyncio
import hashlib
import posixpath
from typing import Final

from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError
from hackamore.core.json import JSON
from hackamore.core.workspace import FileData, Listing, Matches
from hackamore.sandbox.connection import ConnectionLost
from hackamore.sandbox.replies import BadReply, check, file_data, listing, matches
from hackamore.sandbox.worker_link import WorkerLink
from hackamore.wire.frames import MAX_PAYLOAD, Frame

_SECONDS: Final = 3.0
_MAX_PATH: Final = 4096
_HARMLESS: Final = ("read", "list", "search")  # asked once more when the worker died meanwhile


class SandboxedWorkspace:
    """Files reached only through the worker, each call within 3 s."""

    def __init__(self, link: WorkerLink, given_root: str) -> None:
        self._link = link
        self._roots = tuple(dict.fromkeys((link.root, posixpath.normpath(given_root))))

    @property
    def root(self) -> str:
        """The workspace's absolute path."""
        return self._link.root

    async def read(self, path: str, *, max_bytes: int = 8 * 1024 * 1024) -> FileData:
        """Read a regular file whole; see `Workspace.read`."""
        limit = min(max_bytes, MAX_PAYLOAD)
        frame = await self._ask("read", path, max_bytes=limit)
        return file_data(frame, limit)

    async def write(self, path: str, data: bytes, *, expected: bytes | None) -> None:
        """Replace a file atomically; see `Workspace.write`."""
        if len(data) > MAX_PAYLOAD:
            raise WorkspaceError(
                f"{path} would be larger than {MAX_PAYLOAD:,} bytes.", code=Code.FILE_TOO_LARGE
            )
        await self._ask("write", path, data, expected=_hash(expected))

    async def remove(self, path: str, *, expected: bytes) -> None:
        """Remove a file that still holds `expected`."""
        await self._ask("remove", path, expected=_hash(expected))

    async def list(self, path: str, *, recursive: bool, limit: int = 1000) -> Listing:
        """List a folder; see `Workspace.list`."""
        frame = await self._ask("list", path, recursive=recursive, limit=limit)
        return listing(frame, limit)

    async def search(
        self, path: str, pattern: str, *, glob: str | None, limit: int = 200, context: int = 1
    ) -> Matches:
        """Search text files; see `Workspace.search`."""
        frame = await self._ask(
            "search", path, pattern=pattern, glob=glob, limit=limit, context=context
        )
        return matches(frame, limit)

    async def _ask(self, op: str, path: str, payload: bytes = b"", **fields: JSON) -> Frame:
        """Ask the worker about a path; one that does not answer in time is killed."""
        relative = relative_path(path, self._roots)
        try:
            try:
                return await self._request(op, payload, path=relative, **fields)
            except ConnectionLost:
                if op not in _HARMLESS:
                    raise
                return await self._request(op, payload, path=relative, **fields)
        except TimeoutError:
            self._link.kill()
            raise WorkspaceError(
                f"{path} did not answer within {_SECONDS:.0f} s.", code=Code.TIMEOUT
            ) from None
        except ConnectionLost:
            raise WorkspaceError(
                f"The sandbox ended while it was at {path}.",
                hint="Try once more: it starts again by itself.",
                code=Code.SANDBOX_UNAVAILABLE,
            ) from None
        except BadReply as error:
            self._link.kill()
            raise WorkspaceError(
                f"The sandbox answered nonsense ({error}) and was ended.", code=Code.INTERNAL
            ) from error

    async def _request(self, op: str, payload: bytes, **fields: JSON) -> Frame:
        """Ask a worker that is there, each time with the whole time limit."""
        connection = await self._link.connection()
        return check(await asyncio.wait_for(connection.request(op, payload, **fields), _SECONDS))


def relative_path(path: str, roots: tuple[str, ...]) -> str:
    """Return `path` relative to the workspace, without judging where it leads.

    Raises:
        WorkspaceError: It is empty, too long, or absolute and elsewhere.
    """
    if not path or "\0" in path or len(path) > _MAX_PATH:
        raise WorkspaceError(
            "The path is empty, too long or holds a NUL byte.", code=Code.INVALID_REQUEST
        )
    if not path.startswith("/"):
        return path
    for root in roots:
        if path.rstrip("/") == root:
            return "."
        if path.startswith(f"{root.rstrip('/')}/"):
            return path.removeprefix(root).lstrip("/") or "."
    raise WorkspaceError(f"{path} is outside the workspace.", code=Code.PATH_OUTSIDE)


def _hash(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()
