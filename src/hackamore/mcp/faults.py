"""What went wrong with a server, in our words: the only place that reads the SDK's exceptions."""

import re
import shlex
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final, cast

import httpx2
import mcp_types as types
from mcp.shared.exceptions import MCPError as ProtocolError
from pydantic import ValidationError

from hackamore.core.errors import ConnectionLost, MCPError, ServerUnavailable
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.trace import Trace
from hackamore.mcp.visible import visible

_NO_SESSION: Final = re.compile(
    r"(bad request:?\s*)?("
    r"(mcp )?session( id)? (was )?(not found|terminated|expired|unknown|invalid|required)"
    r"( or (it )?(has )?expired)?"
    r"|(no|no valid|invalid|unknown|missing|expired) (mcp )?(session|mcp-session-id)( id)?"
    r"( (header|provided))?"
    r"|server not initiali[sz]ed|(received )?request before initiali[sz]ation( was complete)?"
    r")[.!]?",
    re.IGNORECASE,
)
"""All that an answer says when it says that there is no such session, in the words of SDKs."""
_CLOSED: Final = re.compile(r"Connection closed$|SSE stream ")
_LOST_SESSION_CODES: Final = frozenset(
    {types.INVALID_REQUEST, types.INTERNAL_ERROR, types.CONNECTION_CLOSED, -32000, -32001, -32002}
)
_LONGEST_WORDS: Final = 2_000
_NO_LOGIN: Final = 401
_FORBIDDEN: Final = 403
_NOT_FOUND: Final = 404
_GONE_STATUSES: Final = frozenset({400, 404})
_TOO_MANY: Final = 429
_BY_STATUS: Final = range(400, 600)


class Sign(Flag):
    """What a failure tells besides its words."""

    NONE = 0
    LOST = auto()
    """The connection is of no use any more."""
    NOT_EXECUTED = auto()
    """The server surely did not do what was asked."""
    AGAIN = auto()
    """A request that may be repeated is worth another try."""
    SESSION = auto()
    """The server does not know our session."""
    AUTH = auto()
    """It wants a login."""


_GONE: Final = Sign.LOST | Sign.AGAIN
_UNTOUCHED: Final = _GONE | Sign.NOT_EXECUTED


class Fault(Exception):
    """One request that failed.

    Attributes:
        error: For the caller.
        signs: What it tells besides.
        status: The HTTP status of its answer.
    """

    def __init__(
        self, error: MCPError, signs: Sign = Sign.NONE, *, status: int | None = None
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.signs = signs
        self.status = status

    @property
    def lost(self) -> bool:
        """Whether the connection is of no use any more."""
        return Sign.LOST in self.signs

    @property
    def auth(self) -> bool:
        """Whether the server wants a login."""
        return Sign.AUTH in self.signs

    @property
    def session(self) -> bool:
        """Whether the server does not know our session."""
        return Sign.SESSION in self.signs

    def may_repeat(self, *, repeatable: bool) -> bool:
        """Return whether the request may be made again.

        It may when it surely was not executed, or when executing it twice does no harm
        (`repeatable`); a login has to come from a person first.
        """
        harmless = repeatable or Sign.NOT_EXECUTED in self.signs
        return Sign.AGAIN in self.signs and harmless and not self.auth


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known around a request that failed.

    Attributes:
        entry: The server.
        what: What was asked, for people: ``the call of 'x'``.
        trace: What became of the request on an HTTP transport.
        ending: Why the connection ended, where the transport knows.
        unread: The server's process never took the request from its pipe.
    """

    entry: ServerEntry
    what: str
    trace: Trace
    ending: str = ""
    unread: bool = False


def fault_of(error: BaseException, situation: Situation) -> Fault:  # noqa: PLR0911  # a case a kind
    """Return what `error`, raised by the SDK, means."""
    match _innermost(error):
        case Fault() as fault:
            return fault
        case ProtocolError() as refusal:
            return _protocol_fault(refusal, situation)
        case MCPError() as ours:
            return Fault(ours, Sign.NOT_EXECUTED)
        case ValidationError() as wrong:
            return Fault(MCPError(_invalid(wrong, situation)))
        case httpx2.HTTPStatusError() as refused:
            return _refused(refused.response.status_code, situation)
        case httpx2.TransportError() as cut:
            return _unreachable(str(cut) or type(cut).__name__, situation)
        case other:
            return _lost(f"{type(other).__name__} {other}".strip(), situation)


def shown_url(entry: ServerEntry) -> str:
    """Return a server's address for people: its secrets by their names, or not at all."""
    if entry.written is not None and "${" in entry.written.url:
        return entry.written.url
    return str(httpx2.URL(entry.url).copy_with(userinfo=b"", query=None, fragment=None))


def shown_command(entry: ServerEntry) -> str:
    """Return a server's command line for people, with variables by their names."""
    known = entry.written is not None and entry.written.command
    return shlex.join(known or (entry.command, *entry.args))


def gone(entry: ServerEntry, ending: str) -> Fault:
    """Return the fault of a server that ended while nothing was asked of it."""
    return Fault(ConnectionLost(f"The MCP server {entry.name!r} is gone: {_end(ending)}"), _GONE)


def not_started(entry: ServerEntry, ending: str, fault: Fault) -> Fault:
    """Return the fault of a process that did not become a server."""
    if not isinstance(fault.error, ConnectionLost):
        return fault
    words = f"The MCP server {entry.name!r} did not start: {_end(ending)}"
    hint = f"Try its command by hand: {shown_command(entry)}"
    return Fault(ServerUnavailable(words, hint=hint), _UNTOUCHED)


def _innermost(error: BaseException) -> BaseException:
    """Return the cause that says most: groups hold the real one among cancellations."""
    while isinstance(error, BaseExceptionGroup):
        causes = cast("tuple[BaseException, ...]", error.exceptions)  # pyright: ignore[reportUnknownMemberType]
        error = next((cause for cause in causes if isinstance(cause, Exception)), causes[0])
    return error


def _protocol_fault(error: ProtocolError, situation: Situation) -> Fault:
    """Return what an answer with an error means: some are signs of the connection's end."""
    trace = situation.trace
    if trace.network == "not_sent":
        return _unreachable(error.message, situation)
    if trace.network == "cut_off":
        return _cut_off(error.message, situation)
    if trace.status == _NO_LOGIN:
        return _refused(trace.status, situation)
    if _lost_session(error, trace):
        words = f"The MCP server {situation.entry.name!r} no longer knows our session."
        return Fault(ConnectionLost(words), _UNTOUCHED | Sign.SESSION)
    if error.code == types.CONNECTION_CLOSED and _CLOSED.match(error.message):
        return _lost(situation.ending or "the connection closed", situation)
    return Fault(MCPError(_answered(error, situation)), status=trace.status)


def _lost_session(error: ProtocolError, trace: Trace) -> bool:
    """Whether an HTTP server does not know the session that we named.

    The protocol says it by a bare 404. SDKs also say it in words, by other statuses; the words
    must be all that is said, since a tool may speak of sessions of its own.
    """
    if not trace.session:
        return False
    if trace.status == _NOT_FOUND and error.code == types.INVALID_REQUEST:
        return True
    codes = _LOST_SESSION_CODES if trace.status in _GONE_STATUSES else {types.INVALID_REQUEST}
    said = (error.message.strip(), trace.words.strip())
    return error.code in codes and any(map(_NO_SESSION.fullmatch, said))


def _answered(error: ProtocolError, situation: Situation) -> str:
    name, trace = situation.entry.name, situation.trace
    if error.code == types.INTERNAL_ERROR and trace.status in _BY_STATUS:
        return f"The MCP server {name!r} answered with HTTP status {trace.status}{_why(trace)}"
    if error.code == types.PARSE_ERROR and "validation error" in error.message:
        return f"The MCP server {name!r} gave an answer that is no valid protocol."
    words = visible(error.message)[:_LONGEST_WORDS]
    return f"The MCP server {name!r} refused {situation.what}: {words} (code {error.code})"


def _why(trace: Trace) -> str:
    if trace.status == _TOO_MANY:
        return ": it has too much to do."
    return f": {_end(visible(trace.words))}" if trace.words.strip() else "."


def _refused(status: int, situation: Situation) -> Fault:
    name = situation.entry.name
    if status in (_NO_LOGIN, _FORBIDDEN):
        wants = situation.trace.login or ServerUnavailable(
            f"The MCP server {name!r} wants a login (HTTP status {status}).",
            hint=f"Run `hackamore mcp login {name}`, or set its `headers`.",
        )
        return Fault(wants, _UNTOUCHED | Sign.AUTH)
    words = f"The MCP server {name!r} answered with HTTP status {status}."
    hint = f"Check its url ({shown_url(situation.entry)})."
    refused = ServerUnavailable(words, hint=hint)
    return Fault(refused, Sign.NOT_EXECUTED, status=status)


def _unreachable(words: str, situation: Situation) -> Fault:
    entry = situation.entry
    error = ServerUnavailable(
        f"The MCP server {entry.name!r} cannot be reached at {shown_url(entry)}: {_end(words)}",
        hint="Is it running?",
    )
    return Fault(error, _UNTOUCHED)


def _lost(words: str, situation: Situation) -> Fault:
    if situation.unread:
        error = ConnectionLost(f"The MCP server {situation.entry.name!r} is gone: {_end(words)}")
        return Fault(error, _UNTOUCHED)
    error = ConnectionLost(
        f"The MCP server {situation.entry.name!r} went away during {situation.what}: {_end(words)}",
        hint="Whether it was done is not known.",
    )
    return Fault(error, _GONE)


def _cut_off(words: str, situation: Situation) -> Fault:
    """Return the fault of one request whose answer broke off; the others are not concerned."""
    fault = _lost(words, situation)
    return Fault(fault.error, Sign.AGAIN)


def _end(words: str) -> str:
    """Return `words` with one full stop."""
    return words.rstrip(". \n") + "."


def neither(entry: ServerEntry, first: Fault, second: Fault) -> Fault:
    """Return the fault of a server that could be opened in none of two ways."""
    words = (
        f"The MCP server {entry.name!r} speaks neither Streamable HTTP ({first.error.message}) "
        f"nor HTTP+SSE ({second.error.message})."
    )
    error = ServerUnavailable(words, hint=f"Check its url ({shown_url(entry)}).")
    return Fault(error, second.signs & Sign.AUTH, status=second.status)


def _invalid(error: ValidationError, situation: Situation) -> str:
    name = situation.entry.name
    return f"The MCP server {name!r} gave an answer that is no valid protocol: {_first(error)}"


def _first(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, found['loc']))}: {found['msg']}"
