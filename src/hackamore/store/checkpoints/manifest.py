"""What one checkpoint holds: a header for people, and an entry for each path.

Pure data and its form in a file: JSON in ASCII, so that names which are no UTF-8 come back as they
were, in two lines, so that the header can be read alone.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal, cast, get_args

Kind = Literal["file", "folder", "link"]

_HEADER_BYTES: Final = 64 * 1024
_NUMBERS: Final = 5


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
        ignored: Paths that were there and do not belong in: of a folder, only itself.
        absent: Paths that were looked for by name, and were not there.
    """

    entries: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    left: Mapping[str, str] = field(default_factory=dict[str, str])
    complete: bool = True
    ignored: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    def same(self, other: "Tree") -> bool:
        """Tell whether both hold the same."""
        return (
            self.entries.keys() == other.entries.keys()
            and self.left == other.left
            and self.complete == other.complete
            and self.ignored == other.ignored
            and all(entry.same(other.entries[path]) for path, entry in self.entries.items())
        )


def encode(checkpoint: Checkpoint, tree: Tree) -> bytes:
    """Return a checkpoint as the bytes of its file."""
    entries = {path: (e.kind, e.mode, e.key, e.stamp) for path, e in tree.entries.items()}
    header = asdict(checkpoint)
    body = {
        "entries": entries,
        "left": dict(tree.left),
        "ignored": sorted(tree.ignored),
        "absent": sorted(tree.absent),
    }
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
        return _header(json.loads(text.partition(b"\n")[0]))
    except (zlib.error, TypeError, KeyError) as error:
        raise ValueError(f"no checkpoint: {error}") from error


def decode_tree(data: bytes) -> Tree:
    """Return what a checkpoint holds.

    Raises:
        ValueError: It is no checkpoint.
    """
    try:
        header, _, text = zlib.decompress(data).partition(b"\n")
        body = _object(json.loads(text))
        return Tree(
            {path: _entry(value) for path, value in _object(body["entries"]).items()},
            dict(zip(_object(body["left"]), _texts([*body["left"].values()]), strict=True)),
            _header(json.loads(header)).complete and "ignored" in body,
            frozenset(_texts(body.get("ignored", []))),
            frozenset(_texts(body.get("absent", []))),
        )
    except (zlib.error, TypeError, KeyError) as error:
        raise ValueError(f"no checkpoint: {error}") from error


def _header(found: object) -> Checkpoint:
    fields = _object(found)
    header = replace(Checkpoint(**fields), named=tuple(_texts(fields["named"])))
    likeness = Checkpoint("", 0, "")
    if any(type(getattr(header, name)) is not type(getattr(likeness, name)) for name in fields):
        raise TypeError("a field of its header is of the wrong type")
    return header


def _entry(found: object) -> Entry:
    kind, mode, key, stamp = _list(found)
    numbers = [mode, *_list(stamp)]
    if kind not in get_args(Kind) or not isinstance(key, str) or len(numbers) != _NUMBERS:
        raise TypeError("an entry is of the wrong form")
    if not all(isinstance(number, int) for number in numbers):
        raise TypeError("an entry's numbers are none")
    return Entry(kind, mode, key, (numbers[1], numbers[2], numbers[3], numbers[4]))


def _object(found: object) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise TypeError("an object is missing")
    return cast(dict[str, Any], found)


def _list(found: object) -> list[Any]:
    if not isinstance(found, list):
        raise TypeError("a list is missing")
    return cast(list[Any], found)


def _texts(found: object) -> list[str]:
    texts = _list(found)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a list holds what is no text")
    return texts
