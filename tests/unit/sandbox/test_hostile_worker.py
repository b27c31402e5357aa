"""A worker that was taken over: nothing it says is believed, and nothing it sends does harm."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest

from hackamore.core.codes import Code
from hackamore.core.errors import WorkspaceError
from hackamore.sandbox import replies
from hackamore.sandbox.connection import Connection, ConnectionLost
from hackamore.sandbox.files import relative_path
from hackamore.sandbox.launch import Launch
from hackamore.sandbox.replies import BadReply
from hackamore.wire.frames import Frame

pytestmark = pytest.mark.anyio

_PING = (
    "import os, struct\n"
    "os.read(0, 65536)\n"
    'body = b\'{"id": 1, "ok": true}\'\n'
    "os.write(1, struct.pack('!II', len(body), 0) + body)\n"
    "os.read(0, 65536)\n"
)


def read_file_data(frame: Frame) -> object:
    return replies.file_data(frame, 10)


def read_listing(frame: Frame) -> object:
    return replies.listing(frame, 10)


def read_matches(frame: Frame) -> object:
    return replies.matches(frame, 10)


def read_command_result(frame: Frame) -> object:
    return replies.command_result(frame, b"", 10)


READERS: dict[str, Callable[[Frame], object]] = {
    "check": replies.check,
    "file_data": read_file_data,
    "listing": read_listing,
    "matches": read_matches,
    "command_result": read_command_result,
}


async def hostile(code: str) -> Connection:
    """Start a worker that answers the first ping and then does as `code` says."""
    return await Connection.start(Launch([sys.executable, "-c", _PING + code], {}, confined=False))


@pytest.mark.req("SBX-07")
@pytest.mark.parametrize(
    "code",
    [
        "os.write(1, b'\\xff' * 8); import time; time.sleep(600)",
        "os.write(1, b'\\0\\0\\0\\4\\0\\0\\0\\0nope'); import time; time.sleep(600)",
        "os.write(1, b'\\0\\0\\0\\2\\0\\0\\0\\0{}'); import time; time.sleep(600)",
        "os.write(1, b'\\0\\0\\0\\2\\0\\0\\0\\0[]'); import time; time.sleep(600)",
        "os._exit(0)",
    ],
)
async def test_a_worker_that_does_not_speak_properly_is_ended(code: str) -> None:
    connection = await hostile(code)
    try:
        with pytest.raises(ConnectionLost):
            await asyncio.wait_for(connection.request("read"), 20)
        assert connection.lost
        with pytest.raises(ConnectionLost):
            await connection.request("read")
    finally:
        await connection.close()


@pytest.mark.req("SBX-07")
async def test_an_answer_that_nobody_waits_for_is_dropped() -> None:
    code = (
        'for body in (b\'{"id": 99}\', b\'{"id": 99, "event": "output"}\', b\'{"id": 2}\'):\n'
        "    os.write(1, struct.pack('!II', len(body), 0) + body)\n"
        "os.read(0, 65536)\n"
    )
    connection = await hostile(code)
    try:
        assert (await connection.request("read")).header == {"id": 2}
    finally:
        await connection.close()


@pytest.mark.req("SBX-07")
@pytest.mark.parametrize(
    ("kind", "header"),
    [
        ("check", {}),
        ("check", {"ok": False, "code": "NONSENSE", "message": ""}),
        ("check", {"ok": False, "code": 7}),
        ("check", {"ok": 1}),
        ("file_data", {"path": "/etc/passwd", "mode": 0}),
        ("file_data", {"path": "a/../../b", "mode": 0}),
        ("file_data", {"path": "a", "mode": "x"}),
        ("file_data", {"path": 1, "mode": 0}),
        ("listing", {"entries": "x", "truncated": False}),
        ("listing", {"entries": [["a", "boat", 1]], "truncated": False}),
        ("listing", {"entries": [["a", "file"]], "truncated": False}),
        ("listing", {"entries": [], "truncated": "no"}),
        ("matches", {"matches": ["x"], "truncated": True, "files": 1}),
        ("matches", {"matches": [{"path": 1}], "truncated": True}),
        ("command_result", {"duration": "long"}),
        ("command_result", {"duration": 1.0, "exit_code": True}),
    ],
)
def test_a_reply_of_the_wrong_shape_is_refused(kind: str, header: Any) -> None:
    with pytest.raises(BadReply):
        READERS[kind](Frame(header))


@pytest.mark.req("SBX-07")
def test_more_than_was_asked_for_is_refused_or_cut() -> None:
    with pytest.raises(BadReply):
        replies.file_data(Frame({"path": "a", "mode": 0}, b"x" * 11), 10)
    entries = [["a", "file", 1]] * 20
    assert len(replies.listing(Frame({"entries": entries, "truncated": False}), 10).entries) == 10
    header = {"duration": 1.0, "exit_code": 0, "omitted": -5, "timed_out": False}
    result = replies.command_result(Frame(header, b"x" * 99), b"", 10)
    assert (len(result.output), result.omitted) == (10, 0)


@pytest.mark.req("SBX-07")
def test_a_refusal_is_told_with_its_code() -> None:
    with pytest.raises(WorkspaceError) as found:
        replies.check(Frame({"ok": False, "code": "NOT_FOUND", "message": "a is not there."}))
    assert (found.value.code, found.value.message) == (Code.NOT_FOUND, "a is not there.")


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    ("path", "relative"),
    [
        ("a/b", "a/b"),
        ("/project/a", "a"),
        ("/project/", "."),
        ("/project", "."),
        ("/project//a", "a"),
        ("/link/a", "a"),
        ("../x", "../x"),  # the kernel judges it
    ],
)
def test_paths_inside_become_relative(path: str, relative: str) -> None:
    assert relative_path(path, ("/project", "/link")) == relative


@pytest.mark.req("SBX-03")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/project-evil/x", Code.PATH_OUTSIDE),
        ("/etc/passwd", Code.PATH_OUTSIDE),
        ("", Code.INVALID_REQUEST),
        ("a\0", Code.INVALID_REQUEST),
        ("a" * 5000, Code.INVALID_REQUEST),
    ],
)
def test_other_paths_are_refused(path: str, code: Code) -> None:
    with pytest.raises(WorkspaceError) as found:
        relative_path(path, ("/project",))
    assert found.value.code is code
