"""Bytes are cut into the same lines however they come, and no line outgrows its limit."""

from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from hackamore.mcp.lines import LineCutter, LineTooLong
from hackamore.mcp.parse import parse_message

pytestmark = pytest.mark.req("MCP-11")

_ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"a":"%s"}}'


def _cut(data: bytes, places: list[int], longest: int = 1000) -> tuple[list[bytes], bytes]:
    cutter, lines = LineCutter(longest), deque[bytes]()
    for start, end in pairwise(
        [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    ):
        cutter.feed(data[start:end], lines)
    return list(lines), cutter.rest()


@given(st.binary(max_size=200), st.lists(st.integers(0, 1000), max_size=10))
def test_lines_are_the_same_however_they_come(data: bytes, places: list[int]) -> None:
    lines, rest = _cut(data, places)
    assert [*lines, rest] == data.split(b"\n")


@given(st.lists(st.integers(0, 1000), max_size=10), st.integers(1, 30))
def test_a_line_that_is_too_long_is_told_however_it_comes(places: list[int], longest: int) -> None:
    with pytest.raises(LineTooLong):
        _cut(b"ok\n" + b"x" * (longest + 1), places, longest)


def test_many_short_lines_may_be_longer_than_one() -> None:
    lines, rest = _cut(b"1234567890\n" * 50, [], longest=10)
    assert (len(lines), rest) == (50, b"")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (_ANSWER % b"x", JSONRPCResponse),
        (b"  " + _ANSWER % b"x" + b" \r", JSONRPCResponse),
        (b"loading... 50% " + _ANSWER % b"x", JSONRPCResponse),
        (b'{"debug": 1} ' + _ANSWER % b"x", JSONRPCResponse),
        (_ANSWER % b"caf\xe9 \xff", JSONRPCResponse),
        (b'{"id":1,"jsonrpc":"2.0","method":"ping"}', JSONRPCRequest),
        (b'{"jsonrpc":"2.0","method":"notifications/x"}', JSONRPCNotification),
    ],
)
def test_a_message_is_found_in_its_line(line: bytes, kind: type) -> None:
    assert isinstance(parse_message(line), kind)


def test_what_is_no_utf8_is_replaced() -> None:
    message = parse_message(_ANSWER % b"caf\xe9")
    assert isinstance(message, JSONRPCResponse)
    assert message.result == {"a": "caf\ufffd"}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (rb"cut \ud83d", "cut \ufffd"),
        (rb"cut \ude00", "cut \ufffd"),
        (rb"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        (rb"\ud83d \\ud83d", "\ufffd \\ud83d"),
        (b"\xff " + rb"\uD83D", "\ufffd \ufffd"),
    ],
)
def test_half_a_surrogate_pair_costs_only_itself(text: bytes, kept: str) -> None:
    message = parse_message(_ANSWER % text)
    assert isinstance(message, JSONRPCResponse)
    assert message.result == {"a": kept}


def _deep(depth: int) -> bytes:
    return _ANSWER.replace(b'"%s"', b"[" * depth + b"]" * depth)


@pytest.mark.parametrize(
    "result", [b'{"jsonrpc":"2.0","id":9,"result":{}}', rb'{"jsonrpc":"2.0","a":"\ud83d"}']
)
def test_a_message_within_a_message_is_no_message(result: bytes) -> None:
    message = parse_message(b'{"id":1,"result":' + result + b',"jsonrpc":"2.0"}')
    assert isinstance(message, JSONRPCResponse)
    assert message.id == 1


@pytest.mark.parametrize(
    ("line", "request_id"),
    [
        (_deep(250), 1),
        (_deep(5000), 1),
        (b'{"jsonrpc":"2.0","id":"a-1","result":{"a":log: hello}}', "a-1"),
        (b'{"id": 2, "jsonrpc": "2.0", "result": {,}} \r', 2),
        (b'{"result":{"id":7,"a":nonsense},"jsonrpc":"2.0","id":3}', 3),
        (b'{"jsonrpc":"2.0","id":4,"error":"refused"}', 4),
    ],
)
def test_an_answer_that_cannot_be_read_is_an_error_and_not_silence(
    line: bytes, request_id: str | int
) -> None:
    message = parse_message(line)
    assert isinstance(message, JSONRPCError)
    assert (message.id, message.error.message) == (request_id, "the answer could not be read")


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"hello", b"{}", b"[1, 2]", b"{not json}", b'"text"', b"42", b'{"a": 1}'),
        *(b"\xff\xfe\x80", b'{"jsonrpc":"2.0"', b"{" * 5000),
        b'{"jsonrpc":"1.0","id":1,"result":{}}',
        b'{"level":"error","id":1,"error":"no"}',
        b'{"jsonrpc":"2.0","id":1,"result":{"a":"cut o',
        b'sent {"jsonrpc":"2.0","id":1,"result":{...}}',
    ],
)
def test_noise_is_no_message(line: bytes) -> None:
    assert parse_message(line) is None


@given(st.binary(max_size=200))
def test_no_line_raises(line: bytes) -> None:
    parse_message(line)
    parse_message(b'{"jsonrpc"' + line)
