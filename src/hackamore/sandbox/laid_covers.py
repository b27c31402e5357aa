"""The empty files and folders that stand, for a while, where protected paths are missing.

All sessions of a workspace share them. Each session holds a shared lock on one file; whoever goes
and finds no other holder takes away what is still empty. The kernel lets go of the lock of a
session that is killed, so that the next one, of any workspace, cleans up after it.

What is laid is written down before it is made: a kill in between leaves nothing unknown.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import stat
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hackamore.sandbox.missing_paths import Missing

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_RECORD: Final = "laid.json"
_HELD: Final = "held"
_IGNORED: Final = "git-ignore"


class LaidCovers:
    """This session's share in the covers of one workspace.

    Not for two threads at once.
    """

    def __init__(self, state: Path, root: Path) -> None:
        """Nothing is laid yet.

        Args:
            state: Folder where covers of all workspaces are written down; made when needed.
            root: The workspace's real path.
        """
        self._state = state
        self._root = root
        self._place = state / hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
        self._held: int | None = None

    @property
    def git_ignore(self) -> Path:
        """A file that makes git overlook the laid files; there once something was laid."""
        return self._place / _IGNORED

    def lay(self, wanted: Iterable[Missing]) -> None:
        """Make what is missing of `wanted`; what cannot be made here, a command cannot make either.

        Raises:
            OSError: The state folder cannot be written.
        """
        with _alone(self._state):
            self._hold()
            _sweep(self._state)
            missing = [one for one in wanted if not os.path.lexists(self._root / one.name)]
            if not missing:
                return
            record = _read(self._place)
            record |= {one.name: one.kind for one in missing}
            _write(self._place, self._root, record)
            for one in missing:
                _make(self._root, one)

    def lift(self) -> None:
        """Give up this session's share; the last one takes the covers away."""
        if self._held is None:
            return
        with _alone(self._state):
            os.close(self._held)
            self._held = None
            _clear_if_unheld(self._place)

    def _hold(self) -> None:
        if self._held is not None:
            return
        self._place.mkdir(mode=0o700, exist_ok=True)
        self._held = os.open(self._place / _HELD, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._held, fcntl.LOCK_SH)


@contextmanager
def _alone(state: Path) -> Generator[None]:
    """Keep every other session of this user waiting; what is done here is short."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(state / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _sweep(state: Path) -> None:
    """Take away what killed sessions left, in whatever workspace."""
    for place in state.iterdir():
        if place.is_dir():
            _clear_if_unheld(place)


def _clear_if_unheld(place: Path) -> None:
    try:
        held = os.open(place / _HELD, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        held = None
    try:
        if held is not None:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _clear(place)
    except BlockingIOError:
        return  # somebody works there
    finally:
        if held is not None:
            os.close(held)


def _clear(place: Path) -> None:
    """Remove the covers that are still empty, and the record of them."""
    root, laid = _root_of(place), _read(place)
    if root is not None and laid:
        with contextlib.suppress(OSError), _opened(root) as folder:
            for name, kind in laid.items():
                _remove(folder, name, kind)
    for name in (_RECORD, _IGNORED, _HELD):
        (place / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        place.rmdir()


def _remove(folder: int, name: str, kind: str) -> None:
    """Remove a cover; one that a person has filled or replaced stays."""
    with contextlib.suppress(OSError):
        if kind == "folder":
            os.rmdir(name, dir_fd=folder)
            return
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISREG(status.st_mode) and status.st_size == 0:
            os.unlink(name, dir_fd=folder)


def _make(root: Path, one: Missing) -> None:
    """Make an empty folder or file; whatever has come there meanwhile stays."""
    with contextlib.suppress(OSError), _opened(root) as folder:
        if one.kind == "folder":
            os.mkdir(one.name, 0o755, dir_fd=folder)
        else:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            os.close(os.open(one.name, flags, 0o644, dir_fd=folder))


@contextmanager
def _opened(root: Path) -> Generator[int]:
    folder = os.open(root, _FOLDER)
    try:
        yield folder
    finally:
        os.close(folder)


def _record(place: Path) -> Mapping[str, object]:
    """Return what is written down; nothing when there is nothing, or not by us."""
    try:
        read: object = json.loads((place / _RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}  # pyright: ignore[reportUnknownVariableType] - its parts are checked


def _root_of(place: Path) -> Path | None:
    root = _record(place).get("root")
    return Path(os.fsdecode(bytes.fromhex(root))) if isinstance(root, str) else None


def _read(place: Path) -> dict[str, str]:
    laid = _record(place).get("laid")
    if not isinstance(laid, dict):
        return {}
    return {str(name): str(kind) for name, kind in laid.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] - made text here


def _write(place: Path, root: Path, laid: Mapping[str, str]) -> None:
    """Write the record, whole or not at all, and then what git reads of it."""
    text = json.dumps({"root": os.fsencode(root).hex(), "laid": laid})
    _replace(place / _RECORD, text)
    _replace(place / _IGNORED, "".join(f"/{name}\n" for name in laid))


def _replace(path: Path, text: str) -> None:
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
