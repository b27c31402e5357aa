"""The command line of bubblewrap, as a pure function of what is to be seen inside."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from hackamore.sandbox.environment import PRIVATE_HOME
from hackamore.sandbox.protected_paths import Covers

ETC: Final = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "passwd", "group", "nsswitch.conf"),
    *("hosts", "host.conf", "services", "protocols", "localtime", "timezone", "os-release"),
    *("ssl/certs", "ssl/openssl.cnf", "ca-certificates", "ca-certificates.conf"),
    *("pki/ca-trust", "pki/tls/certs", "pki/tls/cert.pem", "crypto-policies"),
    *("alternatives", "fonts", "mime.types", "magic", "inputrc", "bash.bashrc", "profile"),
    *("java-11-openjdk", "java-17-openjdk", "java-21-openjdk", "maven", "debian_version"),
)
"""What programs need of ``/etc``; nothing of it is secret."""


@dataclass(frozen=True, slots=True)
class View:
    """What is seen inside.

    Attributes:
        system: (path, target) of links and None for folders, as the system has them.
        etc: Existing paths below ``/etc``.
        read: Folders and files, read-only, at their own path.
        write: More folders, writable, at their own path.
        root: The workspace, writable, at its own path.
        covers: What lies over parts of the workspace.
        kept: Folders in the workspace that stay read-only, such as the running installation.
        package: (source, target) of the worker's own code.
        private: Folders within what is shown that nobody inside sees.
        in_home: (source, target) of what the private home shows of the real one, read-only.
        git_ignore: What git is to overlook wherever it runs inside; None for nothing.
        environment: Of the worker and of commands.
        temporary: Bytes that each memory file system may hold.
    """

    system: tuple[tuple[str, str | None], ...]
    etc: tuple[str, ...]
    read: tuple[str, ...]
    write: tuple[str, ...]
    root: str
    covers: Covers
    kept: tuple[str, ...]
    package: tuple[str, str]
    temporary: int
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    private: tuple[str, ...] = ()
    in_home: tuple[tuple[str, str], ...] = ()
    git_ignore: str | None = None


def bwrap_arguments(view: View) -> list[str]:
    """Return the arguments that stand before the program to be run."""
    return [
        *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--hostname", "sandbox", "--proc", "/proc", "--dev", "/dev"),
        *_system(view),
        *_memory(view, "/dev/shm", "/tmp", PRIVATE_HOME),  # noqa: S108
        *(item for pair in view.in_home for item in ("--ro-bind", *pair)),
        *_git_ignore(view),
        *_bind("--ro-bind", view.read),
        *("--ro-bind", *view.package),
        *_bind("--bind", view.write),
        *("--bind", view.root, view.root),
        *_covers(view),
        *("--remount-ro", "/", "--chdir", view.root, "--clearenv"),
        *(item for pair in view.environment.items() for item in ("--setenv", *pair)),
        "--",
    ]


def _system(view: View) -> Iterator[str]:
    for path, target in view.system:
        yield from ("--ro-bind", path, path) if target is None else ("--symlink", target, path)
    yield from _bind("--ro-bind", view.etc)


def _memory(view: View, *folders: str) -> Iterator[str]:
    for folder in folders:
        yield from ("--size", str(view.temporary), "--tmpfs", folder)


def _git_ignore(view: View) -> Iterator[str]:
    if view.git_ignore is not None:
        yield from ("--ro-bind", view.git_ignore, f"{PRIVATE_HOME}/.config/git/ignore")


def _covers(view: View) -> Iterator[str]:
    """Lay the covers, wider ones first, the strictest last."""
    yield from _bind("--bind", view.covers.pinned)
    yield from _bind("--ro-bind", (*view.kept, *view.covers.readonly))
    for path in (*view.covers.hidden_folders, *view.private):
        yield from ("--perms", "0555", "--tmpfs", path, "--remount-ro", path)
    for path in view.covers.hidden_files:
        yield from ("--ro-bind", "/dev/null", path)


def _bind(option: str, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        yield from (option, path, path)
