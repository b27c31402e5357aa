"""The table of error codes: name, number on JSON-RPC, exit status of the command line.

The names are the contract with editors; the numbers lie in the range that JSON-RPC 2.0
(section 5.1) leaves to servers.
"""

from enum import StrEnum
from typing import Final


class Code(StrEnum):
    """Why something did not happen. ``Code.X.value`` is the name on the wire."""

    INVALID_REQUEST = "INVALID_REQUEST"
    UNKNOWN_TOOL = "UNKNOWN_TOOL"
    TOOL_NOT_ALLOWED = "TOOL_NOT_ALLOWED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    PATH_OUTSIDE = "PATH_OUTSIDE"
    NOT_FOUND = "NOT_FOUND"
    NOT_A_FILE = "NOT_A_FILE"
    FILE_TOO_LARGE = "FILE_TOO_LARGE"
    EXTENSION_NOT_ALLOWED = "EXTENSION_NOT_ALLOWED"
    BINARY_FILE = "BINARY_FILE"
    STALE_SNAPSHOT = "STALE_SNAPSHOT"
    UNKNOWN_SNAPSHOT = "UNKNOWN_SNAPSHOT"
    EDIT_NOT_FOUND = "EDIT_NOT_FOUND"
    EDIT_AMBIGUOUS = "EDIT_AMBIGUOUS"
    APPROVAL_REJECTED = "APPROVAL_REJECTED"
    TIMEOUT = "TIMEOUT"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    CANCELLED = "CANCELLED"
    BUSY = "BUSY"
    MODEL_ERROR = "MODEL_ERROR"
    MODEL_AUTH = "MODEL_AUTH"
    CONTEXT_OVERFLOW = "CONTEXT_OVERFLOW"
    MCP_SERVER_ERROR = "MCP_SERVER_ERROR"
    MCP_TIMEOUT = "MCP_TIMEOUT"
    SANDBOX_UNAVAILABLE = "SANDBOX_UNAVAILABLE"
    ENGINE_DIED = "ENGINE_DIED"
    STORE_FULL = "STORE_FULL"
    INTERNAL = "INTERNAL"


_FIRST_NUMBER: Final = -32000
NUMBERS: Final = {code: _FIRST_NUMBER - index for index, code in enumerate(Code)}
"""Each code's number in a JSON-RPC error object."""

HTTP_PREFIX: Final = "MCP_ERROR_"
"""What stands before a code's name on the HTTP binding and in ``--json`` lines."""

EXIT_DONE: Final = 0
EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_NOT_ALLOWED: Final = 3
EXIT_MODEL: Final = 4
EXIT_CANCELLED: Final = 130

_EXITS: Final = {
    Code.INVALID_REQUEST: EXIT_USAGE,
    Code.TOOL_NOT_ALLOWED: EXIT_NOT_ALLOWED,
    Code.PERMISSION_DENIED: EXIT_NOT_ALLOWED,
    Code.APPROVAL_REJECTED: EXIT_NOT_ALLOWED,
    Code.MODEL_AUTH: EXIT_MODEL,
    Code.CANCELLED: EXIT_CANCELLED,
}


def exit_status(code: Code | None) -> int:
    """Return the exit status of a command that ended with `code` (``None``: it succeeded)."""
    return EXIT_DONE if code is None else _EXITS.get(code, EXIT_FAILED)
