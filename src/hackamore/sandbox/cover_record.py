"""What is written down of laid covers, so that another process can take them away.

A record may have been written by anybody who can write the state folder: it is believed only for
plain names, and only for the workspace that its folder is named after.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias, cast

Mark: TypeAlias = tuple[int, int]
"""Inode and time of the last change (nanoseconds) of what was laid."""

UNKNOWN: Final[Mark] = (0, 0)
"""It is about to be laid."""

_FILE: Final = "laid.json"
IGNORED: Final = "git-ignore"


@dataclass(frozen=True, slots=True)
class Record:
    """What was laid in the root of one workspace: names, and by what to know them again."""

    root: Path
    laid: Mapping[str, Mark] = field(default_factory=dict[str, Mark])


def folder_name(root: Path) -> str:
    """Return the name of the folder that a workspace's record lies in."""
    return hashlib.sha256(os.fsencode(root)).hexdigest()[:32]


def read_record(place: Path) -> Record | None:
    """Return what is written in a folder; None when nothing is that can be believed."""
    try:
        read = cast(object, json.loads((place / _FILE).read_text(encoding="utf-8")))
        if not isinstance(read, dict):
            return None
        fields = cast(dict[str, object], read)
        root = Path(os.fsdecode(bytes.fromhex(str(fields["root"]))))
        laid = cast(dict[str, tuple[int, int]], fields["laid"])
        record = Record(root, {name: (int(a), int(b)) for name, (a, b) in laid.items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    plain = not any(name in ("", ".", "..") or "/" in name or "\0" in name for name in record.laid)
    return record if plain and folder_name(root) == place.name else None


def write_record(place: Path, record: Record) -> None:
    """Write a record, whole or not at all, and then what git reads of it.

    Raises:
        OSError: It cannot be written.
    """
    fields = {"root": os.fsencode(record.root).hex(), "laid": dict(record.laid)}
    _replace(place / _FILE, json.dumps(fields))
    _replace(place / IGNORED, "".join(f"/{name}\n" for name in record.laid))


def forget_record(place: Path) -> None:
    """Remove what was written."""
    for name in (_FILE, IGNORED):
        (place / name).unlink(missing_ok=True)


def _replace(path: Path, text: str) -> None:
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
