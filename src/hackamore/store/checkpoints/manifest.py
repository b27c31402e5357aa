"""What one checkpoint holds: a header for people, and an entry for each path.

Pure data and its form in a file: JSON in ASCII, so that names which are no UTF-8 come back as they
were, in two lines, so that the header can be read alone.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

Kind = Literal["file", "folder", "link"]

_HEADER_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """One path as it was.

    Attributes:
        kind: What it is.
        mode: Its permission bits.
        key: The SHA-256 of a file's content; a link's target; empty for folders.
        stamp: (size, mtime_ns, ctime_ns, inode) of a file: while they stay, so does the content.
    """

    kind: Kind
    mode: int = 0
    key: str = ""
    stamp: tuple[int, int, int, int] = (0, 0, 0, 0)

    def same(self, other: "Entry | None") -> bool:
        """Tell whether both mean the same for a person: kind, content and permissions."""
        return other is not None and (self.kind, self.mode, self.key) == (
            other.kind,
            other.mode,
            other.key,
        )


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint's header.

    Attributes:
        id: Twelve hexadecimal digits.
        time_ns: When looking at the workspace began; nanoseconds since the epoch.
        title: The step that came after it.
        session_id: The conversation of that step; may be empty.
        request_id: The run of that step.
        call_id: The step's tool call.
        parent: The checkpoint before it; empty for the first.
        complete: Every path that belongs in was seen.
        undoes: When it was taken because this checkpoint was about to be restored, its id.
        named: The paths that steps said they would change, up to this one.
    """

    id: str
    time_ns: int
    title: str
    session_id: str = ""
    request_id: str = ""
    call_id: str = ""
    parent: str = ""
    complete: bool = True
    undoes: str = ""
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """What a workspace held.

    Attributes:
        entries: By path, relative to the workspace.
        left: What was left out although it belongs in, and why.
        complete: Every path that belongs in was seen.
    """

    entries: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    left: Mapping[str, str] = field(default_factory=dict[str, str])
    complete: bool = True

    def same(self, other: "Tree") -> bool:
        """Tell whether both hold the same."""
        return (
            self.entries.keys() == other.entries.keys()
            and self.left == other.left
            and self.complete == other.complete
            and all(entry.same(other.entries[path]) for path, entry in self.entries.items())
        )


def encode(checkpoint: Checkpoint, tree: Tree) -> bytes:
    """Return a checkpoint as the bytes of its file."""
    entries = {path: (e.kind, e.mode, e.key, e.stamp) for path, e in tree.entries.items()}
    header = asdict(checkpoint)
    body = {"entries": entries, "left": dict(tree.left)}
    text = f"{json.dumps(header)}\n{json.dumps(body, separators=(',', ':'))}\n"
    return zlib.compress(text.encode("ascii"), 1)


def decode_header(data: bytes) -> Checkpoint:
    """Return only the header.

    Raises:
        ValueError: It is no checkpoint.
    """
    try:
        unpacked = zlib.decompressobj()
        text = unpacked.decompress(data, _HEADER_BYTES)
        while b"\n" not in text and unpacked.unconsumed_tail:
            text += unpacked.decompress(unpacked.unconsumed_tail, _HEADER_BYTES)
        fields: dict[str, Any] = json.loads(text.partition(b"\n")[0])
        return replace(Checkpoint(**fields), named=tuple(fields["named"]))
    except (zlib.error, TypeError, KeyError) as error:
        raise ValueError(f"no checkpoint: {error}") from error


def decode_tree(data: bytes) -> Tree:
    """Return what a checkpoint holds.

    Raises:
        ValueError: It is no checkpoint.
    """
    try:
        header, _, text = zlib.decompress(data).partition(b"\n")
        body: dict[str, Any] = json.loads(text)
        complete: bool = json.loads(header)["complete"]
        entries = {
            path: Entry(kind, mode, key, tuple(stamp))
            for path, (kind, mode, key, stamp) in body["entries"].items()
        }
        return Tree(entries, body["left"], complete)
    except (zlib.error, TypeError, KeyError) as error:
        raise ValueError(f"no checkpoint: {error}") from error
