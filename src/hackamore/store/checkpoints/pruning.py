"""Forgetting the oldest checkpoints, and the contents that no checkpoint names."""

from dataclasses import dataclass
from pathlib import Path

from hackamore.store.checkpoints.manifest import decode_tree
from hackamore.store.checkpoints.manifests import Manifests
from hackamore.store.checkpoints.objects import Objects


@dataclass(frozen=True, slots=True)
class Limits:
    """What is kept of one workspace.

    Attributes:
        checkpoints: So many of the newest.
        stored_bytes: So much; the newest checkpoint is kept whatever it takes.
        every: How often contents are swept, counted in checkpoints beyond the number kept.
    """

    checkpoints: int = 200
    stored_bytes: int = 1024**3
    every: int = 20


def prune(manifests: Manifests, objects: Objects, limits: Limits) -> None:
    """Keep the limits. Only for who holds the store's lock, and has named all it needs."""
    files = manifests.files()
    if len(files) % limits.every and len(files) < limits.checkpoints + limits.every:
        return
    _forget(files[: -limits.checkpoints])
    kept = files[-limits.checkpoints :]
    objects.keep_only(_keys(kept))
    while len(kept) > 1 and objects.size() > limits.stored_bytes:
        half = max(1, len(kept) // 2)
        _forget(kept[:half])
        kept = kept[half:]
        objects.keep_only(_keys(kept))


def _forget(files: list[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _keys(files: list[Path]) -> set[str]:
    """Return the contents that checkpoints name; one that is damaged names none."""
    keys: set[str] = set()
    for file in files:
        try:
            tree = decode_tree(file.read_bytes())
        except ValueError:
            continue
        keys.update(entry.key for entry in tree.entries.values() if entry.kind == "file")
    return keys
