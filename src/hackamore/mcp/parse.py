"""One line of a server's stdout as a protocol message, or nothing when it is something else."""

from typing import Final

from mcp_types import JSONRPCMessage, jsonrpc_message_adapter

_BEGINNING: Final = b'{"jsonrpc"'


def parse_message(line: bytes) -> JSONRPCMessage | None:
    """Return the message that `line` holds; None for noise.

    Bytes that are no UTF-8 are replaced. Where words without a line end stand before a message,
    the message still counts.
    """
    for candidate in _candidates(line):
        try:
            return jsonrpc_message_adapter.validate_json(candidate, by_name=False)
        except ValueError:
            continue
    return None


def _candidates(line: bytes) -> tuple[bytes | str, ...]:
    start = line.find(_BEGINNING)
    if start < 0:
        start = line.find(b"{")
    if start < 0:
        return ()
    message = line[start:] if start else line
    return (message, message.decode("utf-8", "replace"))
