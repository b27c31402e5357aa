"""What a restore would do: which paths it changes, which it leaves alone and why. Pure."""

import os
import posixpath
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from hackamore.core.errors import UsageError
from hackamore.store.checkpoints.comparison import (
    IGNORED,
    INCOMPLETE,
    Change,
    differing,
    why_unknown,
)
from hackamore.store.checkpoints.manifest import Tree

_ALL: Final = "."
_NEVER: Final = "it may hold secrets or tools may not write it, so it is never kept or restored"
_NOT_ALL: Final = "the checkpoint is incomplete, so files that it does not hold were not removed"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a restore would do.

    Attributes:
        changes: What has happened to paths, and would be taken back.
        left: Paths that would stay although they may differ, and why.
    """

    changes: list[tuple[str, Change]]
    left: dict[str, str]


Protected = Callable[[str], bool]


def planned(now: Tree, then: Tree, paths: Iterable[str] | None, protected: Protected) -> Plan:
    """Return what a restore would do.

    Args:
        now: What the workspace holds; `paths` were looked for by name.
        then: What it held.
        paths: Only what lies at or below these; None for all.
        protected: Tells what is never restored.

    Raises:
        UsageError: Neither look knows anything of one of the paths.
    """
    wanted = [_ALL] if paths is None else [posixpath.normpath(path) for path in paths]
    known = sorted(path for path in now.entries.keys() | then.entries.keys() if not protected(path))
    left: dict[str, str] = {}
    for path in known:
        if _lies_in(path, wanted):
            left.update(_skipped(path, now, then))
    for path in wanted:
        if path != _ALL and not any(_lies_in(inner, [path]) for inner in known):
            left[path] = _NEVER if protected(path) else _why_nothing(path, now, then)
    changes = differing(then, now)
    return Plan([c for c in changes if _lies_in(c[0], wanted) and not protected(c[0])], left)


def _lies_in(path: str, wanted: list[str]) -> bool:
    return any(w in (_ALL, path) or path.startswith(f"{w}/") for w in wanted)


def _skipped(path: str, now: Tree, then: Tree) -> dict[str, str]:
    """Return why a path that one look knows is not restored; nothing for what git ignores."""
    if path in now.entries and path in then.entries:
        return {}
    in_then = path in then.entries
    why = why_unknown(path, now if in_then else then)
    if why is None or why == IGNORED:
        return {}
    if why == INCOMPLETE:
        return {} if in_then else {_ALL: _NOT_ALL}
    return {path: _reason(why, now=in_then)}


def _reason(why: str, *, now: bool) -> str:
    return f"{why.removeprefix('left out: ')}{' now' if now else ' in the checkpoint'}"


def _why_nothing(path: str, now: Tree, then: Tree) -> str:
    """Return why a path that was asked for has no entry in both looks.

    Raises:
        UsageError: It was in neither.
    """
    if why := why_unknown(path, then):
        return (
            INCOMPLETE.removeprefix("left out: ") if why == INCOMPLETE else _reason(why, now=False)
        )
    if (why := why_unknown(path, now)) and why != INCOMPLETE:
        return _reason(why, now=True)
    raise UsageError(
        f"Nothing is known of {path!r}: it is neither in the checkpoint nor in the workspace.",
        hint="See what differs: hackamore checkpoints diff ID.",
    )


def paths_inside(workspace: str, here: str, paths: Iterable[str]) -> list[str]:
    """Return paths that a person named, relative to the workspace; ``.`` for all of it.

    Args:
        workspace: Its real path.
        here: The current folder's real path: where relative paths begin when it lies inside.
        paths: As they were named.

    Raises:
        UsageError: One of them lies outside.
    """
    base = here if _relative(workspace, here) is not None else workspace
    return list(dict.fromkeys(_inside(workspace, base, path) for path in paths))


def _inside(workspace: str, base: str, path: str) -> str:
    whole = os.path.normpath(f"{base}/{path}" if not path.startswith("/") else path)
    folder, _, name = whole.rpartition("/")
    candidates = (whole, f"{os.path.realpath(folder)}/{name}", os.path.realpath(whole))
    for candidate in candidates[: 3 if path.startswith("/") else 1]:
        found = _relative(workspace, candidate)
        if path and found is not None:
            return found
    raise UsageError(
        f"The path {path!r} does not lie in the workspace {workspace!r}.",
        hint="Name files inside it, or choose another with --workspace.",
    )


def _relative(workspace: str, path: str) -> str | None:
    if path == workspace:
        return _ALL
    folder = f"{workspace.rstrip('/')}/"
    return path.removeprefix(folder) if path.startswith(folder) else None
