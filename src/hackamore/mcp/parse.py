"""One line of a server's stdout as a protocol message, or nothing when it is something else."""

import json
import re
from collections.abc import Callable
from typing import Final

from mcp_types import (
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    RequestId,
    jsonrpc_message_adapter,
)

from hackamore.mcp.surrogates import without_halves

_BEGINNINGS: Final = (b"{", b'{"jsonrpc"')
_ID: Final = rb'"id"\s*:\s*(?P<id>-?\d{1,18}|"[^"\\]{1,200}")\s*'
_VERSION: Final = rb'"jsonrpc"\s*:\s*"2\.0"\s*'
_OUTCOME: Final = rb'"(?:result|error)"\s*:'
_ANSWERS: Final = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        rb"\{\s*" + _VERSION + rb",\s*" + _ID + rb",\s*" + _OUTCOME + rb".*\}\s*\Z",
        rb"\{\s*" + _ID + rb",\s*" + _VERSION + rb",\s*" + _OUTCOME + rb".*\}\s*\Z",
        rb"\{\s*" + _OUTCOME + rb".*,\s*" + _VERSION + rb",\s*" + _ID + rb"\}\s*\Z",
    )
)
"""An answer in the orders that the usual SDKs write; of the last, `.*` takes all but the end."""


def parse_message(line: bytes) -> JSONRPCMessage | None:
    """Return the message that `line` holds; None for noise.

    Bytes that are no UTF-8 and halves of surrogate pairs are replaced. Where words without a line
    end stand before a message, the message still counts. What is surely an answer but cannot be
    read comes as an error, or whoever asked would wait for ever.
    """
    candidates = _candidates(line)
    for reading in (_read, _read_patiently):
        for candidate in candidates:
            if (message := _attempt(reading, candidate)) is not None:
                return message
    return _unreadable(line.lstrip())


def _candidates(line: bytes) -> list[bytes]:
    """Return where a message may begin: the whole comes before what may lie within it."""
    places = [place for beginning in _BEGINNINGS if (place := line.find(beginning)) >= 0]
    return [line[place:] if place else line for place in dict.fromkeys(places)]


def _attempt(reading: Callable[[bytes], JSONRPCMessage], line: bytes) -> JSONRPCMessage | None:
    try:
        return reading(line)
    except ValueError:
        return None


def _read(line: bytes) -> JSONRPCMessage:
    return jsonrpc_message_adapter.validate_json(line, by_name=False)


def _read_patiently(line: bytes) -> JSONRPCMessage:
    """Read what is not quite JSON. The parser's limit of depth stays: the SDK goes no deeper."""
    text = without_halves(line).decode("utf-8", "replace")
    return jsonrpc_message_adapter.validate_json(text, by_name=False)


def _unreadable(line: bytes) -> JSONRPCError | None:
    """Return an error in place of an answer whose id can be told, though it cannot be read."""
    found = next(filter(None, (answer.match(line) for answer in _ANSWERS)), None)
    if found is None:
        return None
    request: RequestId = json.loads(found["id"])
    error = ErrorData(code=PARSE_ERROR, message="the answer could not be read")
    return JSONRPCError(jsonrpc="2.0", id=request, error=error)
