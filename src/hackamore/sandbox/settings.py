"""What a sandbox is built from. All of it comes from the caller; nothing reads the environment."""

from dataclasses import dataclass, field

from hackamore.core.protected import SandboxRules


@dataclass(frozen=True, slots=True)
class Limits:
    """What the sandbox may use; sizes in bytes.

    Attributes:
        processes: In all, of one command.
        memory: In all, of one command.
        file_size: Of one file that a command writes.
        temporary: Of ``/tmp``, of the home folder and of shared memory, each.
    """

    processes: int = 512
    memory: int = 4 * 1024**3
    file_size: int = 1024**3
    temporary: int = 1024**3


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """Everything that a sandbox depends on.

    Attributes:
        root: The workspace; may be given through a link.
        search_path: Folders with programs, as in ``PATH``.
        home: The person's home folder, which the sandbox must not show.
        state: Folder where it is written down what stands in workspaces for a while.
        rules: What is hidden and what is read-only.
        limits: What commands may use.
        read: More folders to show, read-only.
        write: More folders to show, writable.
        private: Folders of our own that nobody inside sees where they lie in the workspace.
        language: The locale of commands.
    """

    root: str
    search_path: tuple[str, ...]
    home: str
    state: str
    rules: SandboxRules = field(default_factory=SandboxRules)
    limits: Limits = field(default_factory=Limits)
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    language: str = "C.UTF-8"
