"""``hackamore checkpoints list | diff | restore | undo``: back to before what an agent did."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, Final, TypeAlias

from hackamore.cli.terminal.safe import visible
from hackamore.core.errors import UsageError, WorkspaceError

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.store.checkpoints.comparison import Difference
    from hackamore.store.checkpoints.manifest import Checkpoint
    from hackamore.store.checkpoints.planning import Plan
    from hackamore.store.checkpoints.restoring import Restored
    from hackamore.store.checkpoints.store import CheckpointStore

    Commands: TypeAlias = _SubParsersAction[argparse.ArgumentParser]

_EXAMPLES: Final = """\
examples:
  hackamore checkpoints list
  hackamore checkpoints diff              what changed since the newest
  hackamore checkpoints undo              back to before the last step that changed files
  hackamore checkpoints restore 3f9a --files src/app.py
"""


def add_to(commands: "Commands") -> None:
    """Add the commands."""
    checkpoints = commands.add_parser(
        "checkpoints",
        help="list, compare and restore the files as they were before each step",
        description="Before each step that may change files, the workspace is kept outside of it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = checkpoints.add_subparsers(title="actions", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="what can be restored, the newest first")
    listed.set_defaults(command=_list)
    compared = actions.add_parser("diff", help="what changed since a checkpoint")
    compared.add_argument("id", metavar="ID", nargs="?", help="default: the newest")
    compared.set_defaults(command=_diff)
    restored = actions.add_parser("restore", help="make the files what they were")
    restored.add_argument("id", metavar="ID", help="or the beginning of it")
    restored.add_argument("--files", metavar="PATH", nargs="+", help="only these files or folders")
    restored.set_defaults(command=_restore)
    undone = actions.add_parser("undo", help="go back to before the last step that changed files")
    undone.set_defaults(command=_undo)
    for action in (listed, compared, restored, undone):
        action.add_argument(
            "--workspace",
            metavar="DIR",
            help="the project (default: the nearest folder upwards that has checkpoints)",
        )
        action.add_argument("--json", action="store_true", help="print JSON")
    for action in (restored, undone):
        action.add_argument("--yes", action="store_true", help="do not ask")


def _store(parsed: argparse.Namespace) -> "CheckpointStore":
    from pathlib import Path

    from hackamore.compose.checkpoints import folder_with_checkpoints, open_checkpoints

    if parsed.workspace is None:
        here = Path.cwd()
        found = folder_with_checkpoints(here)
        if found != here:
            print(visible(f"These are the checkpoints of {found}."), file=sys.stderr)
        return open_checkpoints(found)
    workspace = Path(parsed.workspace)
    if not workspace.is_dir():
        raise UsageError(f"The workspace {parsed.workspace!r} is not a folder.")
    return open_checkpoints(workspace.resolve())


def _list(parsed: argparse.Namespace) -> int:
    from datetime import datetime

    store = _store(parsed)
    rows = [(kept, _left_out(store, kept)) for kept in reversed(store.all())]
    if parsed.json:
        print(json.dumps([_fields(kept, left) for kept, left in rows], indent=2))
        return 0
    for kept, left in rows:
        when = datetime.fromtimestamp(kept.time_ns / 1e9).astimezone()
        notes = "" if kept.complete else " (incomplete)"
        notes += " (damaged)" if "." in left else f" ({len(left)} left out)" if left else ""
        print(visible(f"{kept.id}  {when:%Y-%m-%d %H:%M:%S}  before: {kept.title}{notes}"))
    if not rows:
        print("There are no checkpoints of this folder: no step has changed anything here.")
    return 0


def _left_out(store: "CheckpointStore", kept: "Checkpoint") -> dict[str, str]:
    """Return what a checkpoint left out; of a damaged one, all."""
    try:
        return store.left_out(kept)
    except WorkspaceError:
        return {".": "damaged"}


def _fields(kept: "Checkpoint", left: dict[str, str]) -> dict[str, object]:
    return {
        "id": kept.id,
        "time": kept.time_ns / 1e9,
        "title": kept.title,
        "context_id": kept.session_id,
        "request_id": kept.request_id,
        "call_id": kept.call_id,
        "complete": kept.complete,
        "left_out": left,
    }


def _diff(parsed: argparse.Namespace) -> int:
    store = _store(parsed)
    kept = store.find(parsed.id) if parsed.id else _newest(store)
    changes = store.diff(kept)
    if parsed.json:
        print(json.dumps([_change(change) for change in changes], indent=2))
        return 0
    for change in changes:
        note = f" ({change.note})" if change.note else ""
        print(visible(f"{change.change}: {change.path}{note}"))
        print(visible(change.diff), end="")
    for path, why in store.left_out(kept).items():
        print(visible(f"{why}: {path}"))
    return 0


def _newest(store: "CheckpointStore") -> "Checkpoint":
    row = store.all()
    if not row:
        raise UsageError("There are no checkpoints of this folder.")
    return row[-1]


def _change(change: "Difference") -> dict[str, str]:
    fields = {"path": change.path, "change": change.change, "diff": change.diff}
    return fields | ({"note": change.note} if change.note else {})


def _restore(parsed: argparse.Namespace) -> int:
    import os

    from hackamore.store.checkpoints.planning import paths_inside

    store = _store(parsed)
    files = parsed.files and paths_inside(store.workspace, os.path.realpath("."), parsed.files)
    return _bring_back(parsed, store, store.find(parsed.id), files)


def _undo(parsed: argparse.Namespace) -> int:
    store = _store(parsed)
    return _bring_back(parsed, store, store.to_undo(), None)


def _bring_back(
    parsed: argparse.Namespace,
    store: "CheckpointStore",
    kept: "Checkpoint",
    files: list[str] | None,
) -> int:
    plan = store.plan(kept, files)
    if not plan.changes:
        return _report_nothing(parsed, kept, plan)
    if not parsed.yes:
        _ask(kept, plan)
    return _report(parsed, kept, store.restore(kept, files))


def _report_nothing(parsed: argparse.Namespace, kept: "Checkpoint", plan: "Plan") -> int:
    from hackamore.store.checkpoints.restoring import Restored

    if not parsed.json:
        words = "nothing differs" if not plan.left else "nothing that was kept differs"
        print(visible(f"Nothing to restore: {words} from before: {kept.title}"))
    return _report(parsed, kept, Restored(left=plan.left))


def _report(parsed: argparse.Namespace, kept: "Checkpoint", done: "Restored") -> int:
    if parsed.json:
        print(
            json.dumps(
                {
                    "id": kept.id,
                    "written": done.written,
                    "removed": done.removed,
                    "left": done.left,
                },
                indent=2,
            )
        )
    else:
        for words, paths in (("restored", done.written), ("removed", done.removed)):
            for path in paths:
                print(visible(f"{words}: {path}"))
        for path, why in done.left.items():
            print(visible(f"left as it is: {path} ({why})"), file=sys.stderr)
    return 1 if done.left else 0


def _ask(kept: "Checkpoint", plan: "Plan") -> None:
    """Show what would be undone, and go on only after a yes.

    Raises:
        UsageError: The person said no, or nobody is there to ask.
    """
    for path, change in plan.changes:
        print(visible(f"would undo: {change} {path}"), file=sys.stderr)
    for path, why in plan.left.items():
        print(visible(f"would stay: {path} ({why})"), file=sys.stderr)
    if not sys.stdin.isatty():
        raise UsageError("Nobody is there to ask.", hint="To restore without asking, add --yes.")
    print(visible(f"Go back to before: {kept.title}? [y/N] "), end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("Nothing was changed.")
