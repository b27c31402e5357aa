"""Replies of the worker, which may be hostile: every field is checked before it is believed."""

from collections.abc import Mapping, Sequence
from typing import Literal, cast, get_args

from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError
from hackamore.core.json import JSON, JSONObject
from hackamore.core.workspace import CommandResult, Entry, FileData, Listing, Match, Matches
from hackamore.wire.frames import Frame

_MAX_WORDS = 1000
_Kind = Literal["file", "folder", "link", "other"]


class BadReply(Exception):
    """The worker answered something that makes no sense; it is not to be used further."""


def check(frame: Frame) -> Frame:
    """Return a reply that says yes.

    Raises:
        WorkspaceError: It says no.
        BadReply: It says neither.
    """
    if frame.header.get("ok") is True:
        return frame
    try:
        code = Code(_text(frame.header, "code"))
    except ValueError as error:
        raise BadReply("an unknown code") from error
    raise WorkspaceError(_text(frame.header, "message")[:_MAX_WORDS], code=code)


def file_data(frame: Frame, max_bytes: int) -> FileData:
    """Read the answer to ``read``."""
    if len(frame.payload) > max_bytes:
        raise BadReply("more bytes than were asked for")
    return FileData(
        path=_path(frame.header),
        data=frame.payload,
        mode=_number(frame.header, "mode") & 0o777,
        size=len(frame.payload),
    )


def listing(frame: Frame, limit: int) -> Listing:
    """Read the answer to ``list``."""
    entries = _items(frame.header, "entries")
    return Listing(tuple(_entry(item) for item in entries[:limit]), _flag(frame.header))


def matches(frame: Frame, limit: int) -> Matches:
    """Read the answer to ``search``."""
    found = tuple(_match(item) for item in _items(frame.header, "matches")[:limit])
    return Matches(found, _flag(frame.header), _number(frame.header, "files"))


def command_result(frame: Frame, head: bytes, max_output: int) -> CommandResult:
    """Read the answer to ``execute``; `head` is the output that came before it."""
    duration = frame.header.get("duration")
    if isinstance(duration, bool) or not isinstance(duration, int | float):
        raise BadReply("duration")
    code = frame.header.get("exit_code")
    return CommandResult(
        exit_code=None if code is None else _number(frame.header, "exit_code"),
        output=head + frame.payload[-max_output:],
        omitted=max(0, _number(frame.header, "omitted")),
        timed_out=_flag(frame.header, "timed_out"),
        duration=float(duration),
    )


def _entry(item: JSON) -> Entry:
    if isinstance(item, str) or not isinstance(item, Sequence) or len(item) != 3:  # noqa: PLR2004
        raise BadReply("an entry")
    path, kind, size = item
    if not isinstance(path, str) or kind not in get_args(_Kind) or not isinstance(size, int):
        raise BadReply("an entry")
    return Entry(path, cast(_Kind, kind), size)


def _match(item: JSON) -> Match:
    if not isinstance(item, Mapping):
        raise BadReply("a match")
    return Match(
        path=_path(item),
        line=_number(item, "line"),
        text=_text(item, "text"),
        before=_texts(item, "before"),
        after=_texts(item, "after"),
    )


def _path(header: JSONObject) -> str:
    path = _text(header, "path")
    if path.startswith("/") or ".." in path.split("/"):
        raise BadReply("a path that is not beneath the root")
    return path


def _text(header: JSONObject, name: str) -> str:
    value = header.get(name)
    if not isinstance(value, str):
        raise BadReply(name)
    return value


def _texts(header: JSONObject, name: str) -> tuple[str, ...]:
    return tuple(str(item) for item in _items(header, name))


def _number(header: JSONObject, name: str) -> int:
    value = header.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadReply(name)
    return value


def _flag(header: JSONObject, name: str = "truncated") -> bool:
    value = header.get(name)
    if not isinstance(value, bool):
        raise BadReply(name)
    return value


def _items(header: JSONObject, name: str) -> Sequence[JSON]:
    value = header.get(name)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise BadReply(name)
    return value
