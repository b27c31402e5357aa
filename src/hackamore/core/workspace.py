"""The ports to files and processes. Behind them stands the sandbox, or a fake in tests.

Paths are strings relative to the workspace's root, with ``/``; an absolute path inside the root
means the same. Every path is judged after resolution: whatever leads outside is refused with
`Code.PATH_OUTSIDE`, hidden and protected paths with `Code.PERMISSION_DENIED`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

SandboxLevel: TypeAlias = Literal["full", "landlock", "none"]


@dataclass(frozen=True, slots=True)
class FileData:
    """A file's bytes and what must be kept when it is written again.

    Attributes:
        path: Resolved, relative to the root.
        data: The bytes; at most the limit that was asked for.
        mode: Permission bits.
        size: Of the whole file, in bytes.
    """

    path: str
    data: bytes
    mode: int
    size: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a listing.

    Attributes:
        path: Relative to the root.
        kind: What it is, without following links.
        size: In bytes; 0 for anything but files.
    """

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size: int


@dataclass(frozen=True, slots=True)
class Listing:
    """Entries in the order of their paths; `truncated` when there were more."""

    entries: tuple[Entry, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Match:
    """One line that matched. `line` counts from 1; `text` is the line without its end."""

    path: str
    line: int
    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Matches:
    """What a search found; `truncated` when there was more or time ran out."""

    matches: tuple[Match, ...]
    truncated: bool
    files_searched: int


class Workspace(Protocol):
    """The files that a run may touch.

    Every method raises `WorkspaceError` with one of `PATH_OUTSIDE`, `PERMISSION_DENIED`,
    `NOT_FOUND`, `NOT_A_FILE`, `FILE_TOO_LARGE`, `TIMEOUT` and answers within 3 s.
    """

    @property
    def root(self) -> str:
        """The workspace's absolute path, for words to the model only."""
        ...

    async def read(self, path: str, *, max_bytes: int = 8 * 1024 * 1024) -> FileData:
        """Read a regular file whole; one larger than `max_bytes` raises FILE_TOO_LARGE."""
        ...

    async def write(self, path: str, data: bytes, *, expected: bytes | None) -> None:
        """Replace a file atomically, keeping its mode; make missing folders.

        `expected` is what the file held when it was read (None: there was no file). A file that
        holds something else by now is refused with `Code.STALE_SNAPSHOT`.
        """
        ...

    async def remove(self, path: str, *, expected: bytes) -> None:
        """Remove a file that still holds `expected`."""
        ...

    async def list(self, path: str, *, recursive: bool, limit: int = 1000) -> Listing:
        """List a folder, without hidden paths and, when recursive, without what git ignores."""
        ...

    async def search(
        self, path: str, pattern: str, *, glob: str | None, limit: int = 200, context: int = 1
    ) -> Matches:
        """Search text files for a regular expression (Rust and Python syntax in common)."""
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A command line for ``bash`` (or ``sh``) in the workspace.

    Attributes:
        line: The command line.
        folder: Where to start, relative to the root.
        timeout: Seconds until it is killed with all that it started.
        max_output: Bytes of output kept, half from the head and half from the tail.
        environment: Variables added to the scrubbed environment.
    """

    line: str
    folder: str = "."
    timeout: float = 120.0
    max_output: int = 1024 * 1024
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended.

    Attributes:
        exit_code: As the shell gives it; -N when signal N ended it; None when it timed out.
        output: Standard output and error as they came, mixed; cut in the middle when too long.
        omitted: Bytes cut out.
        timed_out: The timeout ended it.
        duration: Seconds.
    """

    exit_code: int | None
    output: bytes
    omitted: int
    timed_out: bool
    duration: float


OnOutput: TypeAlias = Callable[[bytes], None]


class Sandbox(Protocol):
    """Where commands run. Cancelling `execute` kills the command's whole tree."""

    @property
    def level(self) -> SandboxLevel:
        """The level that the self-test at start proved."""
        ...

    async def execute(self, command: Command, on_output: OnOutput | None = None) -> CommandResult:
        """Run a command with no network, no home and nothing writable but the workspace.

        Raises:
            SandboxUnavailable: The sandbox died and cannot be started again.
            WorkspaceError: The folder is outside or missing.
        """
        ...
