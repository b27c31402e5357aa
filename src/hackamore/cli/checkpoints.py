"""``hackamore checkpoints list | diff | restore | undo``: back to before what an agent did."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, Final, TypeAlias

from hackamore.cli.terminal.safe import visible
from hackamore.core.errors import UsageError

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage]

    from hackamore.store.checkpoints.comparison import Difference
    from hackamore.store.checkpoints.manifest import Checkpoint
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
            "--workspace", metavar="DIR", default=".", help="the project (default: .)"
        )
        action.add_argument("--json", action="store_true", help="print JSON")
    for action in (restored, undone):
        action.add_argument("--yes", action="store_true", help="do not ask")


def _store(parsed: argparse.Namespace) -> "CheckpointStore":
    from pathlib import Path

    from hackamore.compose.checkpoints import open_checkpoints

    workspace = Path(parsed.workspace)
    if not workspace.is_dir():
        raise UsageError(f"The workspace {parsed.workspace!r} is not a folder.")
    return open_checkpoints(workspace.resolve())


def _list(parsed: argparse.Namespace) -> int:
    from datetime import datetime

    store = _store(parsed)
    rows = [(kept, store.left_out(kept)) for kept in reversed(store.all())]
    if parsed.json:
        print(json.dumps([_fields(kept, left) for kept, left in rows], indent=2))
        return 0
    for kept, left in rows:
        when = datetime.fromtimestamp(kept.time_ns / 1e9).astimezone()
        notes = "" if kept.complete else " (incomplete)"
        notes += f" ({len(left)} left out)" if left else ""
        print(visible(f"{kept.id}  {when:%Y-%m-%d %H:%M:%S}  before: {kept.title}{notes}"))
    if not rows:
        print("There are no checkpoints of this folder: no step has changed anything here.")
    return 0


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
        print(visible(f"{change.change}: {change.path}"))
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
    return {"path": change.path, "change": change.change, "diff": change.diff}


def _restore(parsed: argparse.Namespace) -> int:
    store = _store(parsed)
    return _bring_back(parsed, store, store.find(parsed.id), parsed.files)


def _undo(parsed: argparse.Namespace) -> int:
    store = _store(parsed)
    return _bring_back(parsed, store, store.to_undo(), None)


def _bring_back(
    parsed: argparse.Namespace,
    store: "CheckpointStore",
    kept: "Checkpoint",
    files: list[str] | None,
) -> int:
    if not parsed.yes:
        _ask(store, kept, files)
    done = store.restore(kept, files)
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


def _ask(store: "CheckpointStore", kept: "Checkpoint", files: list[str] | None) -> None:
    """Show what would be undone, and go on only after a yes.

    Raises:
        UsageError: The person said no, or nobody is there to ask.
    """
    for change in store.diff(kept):
        if files is None or any(f"{change.path}/".startswith(f"{f.rstrip('/')}/") for f in files):
            print(visible(f"would undo: {change.change} {change.path}"), file=sys.stderr)
    if not sys.stdin.isatty():
        raise UsageError("Nobody is there to ask.", hint="To restore without asking, add --yes.")
    print(visible(f"Go back to before: {kept.title}? [y/N] "), end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise UsageError("Nothing was changed.")
