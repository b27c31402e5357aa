"""The checkpoints of one workspace: take, list, compare, restore, undo.

Everything is written below one folder of the user's; a file lock lets one writer in at a time.
The checkpoint's own file is written last, so that a kill leaves contents nobody names, no more.
"""

import fcntl
import hashlib
import os
import posixpath
import secrets
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from hackamore.core.errors import UsageError
from hackamore.core.protected import SandboxRules
from hackamore.store.checkpoints.comparison import Difference, described, differing
from hackamore.store.checkpoints.manifest import Checkpoint, Entry, Tree
from hackamore.store.checkpoints.manifests import Manifests
from hackamore.store.checkpoints.objects import Objects
from hackamore.store.checkpoints.planning import Plan, planned
from hackamore.store.checkpoints.pruning import Limits, prune
from hackamore.store.checkpoints.restoring import Restored, restore_tree
from hackamore.store.checkpoints.scope import Scope
from hackamore.store.checkpoints.snapshot import Before, Bounds, Snapshot

_MAX_NAMED: Final = 1000


@dataclass(frozen=True, slots=True)
class Step:
    """What a checkpoint is taken before.

    Attributes:
        title: One line for people.
        session_id: Its conversation.
        request_id: Its run.
        call_id: Its tool call.
    """

    title: str
    session_id: str = ""
    request_id: str = ""
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class CheckpointStore:
    """The checkpoints of one workspace.

    Attributes:
        folder: Where they are kept; made when the first is taken.
        workspace: The workspace's real path.
        rules: What is never kept and never restored.
        bounds: How much one checkpoint takes in.
        limits: How much is kept of all.
    """

    folder: Path
    workspace: str
    rules: SandboxRules = field(default_factory=SandboxRules)
    bounds: Bounds = field(default_factory=Bounds)
    limits: Limits = field(default_factory=Limits)

    def take(self, step: Step, paths: Iterable[str] = ()) -> Checkpoint:
        """Keep what the workspace holds; return the checkpoint before when nothing has changed.

        Args:
            step: What comes next.
            paths: What the step says it will change: kept even when git ignores it.

        Raises:
            OSError: The workspace or the store cannot be used.
        """
        with self._locked():
            return self._take(step, paths)[0]

    def exists(self) -> bool:
        """Tell whether a checkpoint of the workspace was ever taken."""
        return (self.folder / "manifests").is_dir()

    def all(self) -> list[Checkpoint]:
        """Return all checkpoints, the oldest first."""
        return self._manifests.all()

    def find(self, prefix: str) -> Checkpoint:
        """Return the checkpoint whose id begins so.

        Raises:
            UsageError: There is none, or more than one.
        """
        return self._manifests.find(prefix)

    def left_out(self, checkpoint: Checkpoint) -> dict[str, str]:
        """Return what a checkpoint left out, and why."""
        return dict(self._manifests.tree(checkpoint).left)

    def diff(self, old: Checkpoint, new: Checkpoint | None = None) -> list[Difference]:
        """Return what changed since a checkpoint, until another one or (None) now."""
        then = self._manifests.tree(old)
        if new is not None:
            later = self._manifests.tree(new)
            return described(then, later, self._objects.read, self._objects.read)
        contents: dict[str, bytes] = {}

        def keep(data: bytes) -> str:
            key = _key_of(data)
            contents[key] = data
            return key

        now = self._look((*old.named, *then.entries), Before(), keep)
        return described(then, now, self._objects.read, contents.__getitem__)

    def plan(self, target: Checkpoint, paths: Iterable[str] | None = None) -> Plan:
        """Return what a restore would do, and change nothing.

        Raises:
            OSError: The workspace cannot be looked at.
            UsageError: Nothing is known of one of the paths.
            WorkspaceError: The checkpoint cannot be read.
        """
        wanted = None if paths is None else list(paths)
        then = self._manifests.tree(target)
        now = self._look((*target.named, *then.entries, *(wanted or ())), self._before())
        return planned(now, then, wanted, self._scope.protected)

    def restore(self, target: Checkpoint, paths: Iterable[str] | None = None) -> Restored:
        """Make the workspace, or only `paths` of it, what it was; keep what it is before.

        Raises:
            OSError: The workspace or the store cannot be used.
            UsageError: Nothing is known of one of the paths.
            WorkspaceError: The checkpoint cannot be read.
        """
        wanted = None if paths is None else list(paths)
        with self._locked():
            then = self._manifests.tree(target)
            named = (*target.named, *then.entries, *(wanted or ()))
            _, now = self._take(Step(f"restore {target.id}"), named, (target.id, then))
            plan = planned(now, then, wanted, self._scope.protected)
            changed = [path for path, _ in plan.changes]
            done = restore_tree(self.workspace, now, then, changed, self._objects.read)
            return replace(done, left=plan.left | done.left)

    def to_undo(self) -> Checkpoint:
        """Return the checkpoint before the last step that changed something still changed.

        Raises:
            UsageError: There is none.
        """
        steps = _not_undone(self._manifests.all())
        names = (*steps[-1].named, *self._manifests.tree(steps[-1]).entries) if steps else ()
        now = self._look(names, self._before())
        for checkpoint in reversed(steps):
            if differing(self._manifests.tree(checkpoint), now):
                return checkpoint
        raise UsageError(
            "There is nothing to undo: the files are what they were before the steps kept.",
            hint="See: hackamore checkpoints list.",
        )

    def _take(
        self, step: Step, paths: Iterable[str], restored: tuple[str, Tree] | None = None
    ) -> tuple[Checkpoint, Tree]:
        undoes, then = restored or ("", None)
        started = time.time_ns()
        newest = self._manifests.newest()
        last, known = newest or (None, Tree())
        named = _named(last, paths if not undoes else ())
        looked_at = {*named, *(posixpath.normpath(path) for path in paths)}
        sure = known.entries if then is None else _alike(known, then)
        before = Before(sure, last.time_ns if last else 0)
        tree = Snapshot(self._scope, self.bounds, before, self._objects.add).look(
            self.workspace, sorted(looked_at)
        )
        if last and not last.undoes and not undoes and last.named == named and tree.same(known):
            return last, tree
        checkpoint = Checkpoint(
            id=secrets.token_hex(6),
            time_ns=max(started, last.time_ns + 1 if last else 0),
            title=step.title,
            session_id=step.session_id,
            request_id=step.request_id,
            call_id=step.call_id,
            parent=last.id if last else "",
            complete=tree.complete,
            undoes=undoes,
            named=named,
        )
        self._manifests.add(checkpoint, tree)
        prune(self._manifests, self._objects, self.limits)
        return checkpoint, tree

    def _look(
        self, named: Iterable[str], before: Before, keep: Callable[[bytes], str] | None = None
    ) -> Tree:
        """Look at the workspace without keeping anything in the store."""
        looked_at = sorted({posixpath.normpath(path) for path in named})
        snapshot = Snapshot(self._scope, self.bounds, before, keep or _key_of)
        return snapshot.look(self.workspace, looked_at)

    def _before(self) -> Before:
        newest = self._manifests.newest()
        return Before(newest[1].entries, newest[0].time_ns) if newest else Before()

    @contextmanager
    def _locked(self) -> Generator[None]:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)

    @property
    def _scope(self) -> Scope:
        return Scope(self.rules)

    @property
    def _objects(self) -> Objects:
        return Objects(self.folder / "objects")

    @property
    def _manifests(self) -> Manifests:
        return Manifests(self.folder / "manifests")


def store_of(state: Path, workspace: Path, rules: SandboxRules) -> CheckpointStore:
    """Return the store of a workspace, below the user's state folder."""
    real = os.path.realpath(workspace)
    name = hashlib.sha256(os.fsencode(real)).hexdigest()[:32]
    return CheckpointStore(state / "checkpoints" / name, real, rules)


def _key_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _alike(known: Tree, then: Tree) -> Mapping[str, Entry]:
    """Return the entries that a restore need not change; others are read and kept anew."""
    return {path: e for path, e in known.entries.items() if e.same(then.entries.get(path))}


def _named(last: Checkpoint | None, paths: Iterable[str]) -> tuple[str, ...]:
    """Return what is named from now on: the newest of it, when it is very much."""
    known = last.named if last else ()
    new = (posixpath.normpath(path) for path in paths)
    inside = [path for path in new if path != "." and not path.startswith(("/", "../"))]
    return tuple(dict.fromkeys((*known, *inside)))[-_MAX_NAMED:]


def _not_undone(row: list[Checkpoint]) -> list[Checkpoint]:
    """Return the checkpoints before steps that no restore has taken back."""
    steps: list[Checkpoint] = []
    for checkpoint in row:
        if checkpoint.undoes:
            ids = [step.id for step in steps]
            if checkpoint.undoes in ids:
                steps = steps[: ids.index(checkpoint.undoes) + 1]
        else:
            steps.append(checkpoint)
    return steps
