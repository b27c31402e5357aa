"""What the SDK raises is told in our words, with what it means for the connection."""

import asyncio
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError as ProtocolError
from pydantic import BaseModel, ValidationError

from hackamore.core.errors import ConnectionLost, MCPError, ServerUnavailable
from hackamore.mcp.entry import ServerEntry
from hackamore.mcp.faults import Fault, Sign, Situation, fault_of, gone, not_started
from hackamore.mcp.trace import Trace

pytestmark = pytest.mark.req("MCP-06")

_SITE = ServerEntry("site", "http", url="https://user:secret@example.com/mcp?key=secret")
_CHILD = ServerEntry("child", "stdio", command="run", args=("--it",))
_LOST, _UNEXECUTED, _AUTH = "lost", "not executed", "auth"


def _refusal(code: int, message: str) -> ProtocolError:
    return ProtocolError(code=code, message=message)


def _status(number: int) -> httpx2.HTTPStatusError:
    request = httpx2.Request("POST", _SITE.url)
    return httpx2.HTTPStatusError("x", request=request, response=httpx2.Response(number))


def _invalid() -> ValidationError:
    class Shape(BaseModel):
        a: int

    with pytest.raises(ValidationError) as caught:
        Shape.model_validate({"a": "x"})
    return caught.value


def _means(fault: Fault) -> set[str]:
    flags = {_LOST: fault.lost, _UNEXECUTED: Sign.NOT_EXECUTED in fault.signs, _AUTH: fault.auth}
    return {name for name, holds in flags.items() if holds}


def _seen(error: BaseException, way: dict[str, Any] | None = None, **more: Any) -> Fault:
    entry = more.pop("entry", _SITE)
    return fault_of(error, Situation(entry, "the call of 'x'", Trace(**way or {}), **more))


_IN_SESSION = {"session": True}
_TABLE: list[tuple[BaseException, dict[str, Any], type[MCPError], set[str]]] = [
    (_refusal(-32603, "x"), {"network": "not_sent"}, ServerUnavailable, {_LOST, _UNEXECUTED}),
    (_refusal(-32603, "x"), {"network": "cut_off"}, ConnectionLost, set()),
    (_refusal(-32603, "Server returned an error response"), {"status": 401}, ServerUnavailable,
     {_LOST, _UNEXECUTED, _AUTH}),
    (_refusal(-32600, "Session not found"), {"status": 404} | _IN_SESSION, ConnectionLost,
     {_LOST, _UNEXECUTED}),
    (_refusal(-32600, "Session not found"), {"status": 200} | _IN_SESSION, ConnectionLost,
     {_LOST, _UNEXECUTED}),
    (_refusal(-32603, "Server returned an error response"),
     {"status": 404, "words": "Session not found"} | _IN_SESSION, ConnectionLost,
     {_LOST, _UNEXECUTED}),
    (_refusal(-32000, "Bad Request: Server not initialized"), {"status": 400} | _IN_SESSION,
     ConnectionLost, {_LOST, _UNEXECUTED}),
    (_refusal(-32001, "Unknown session"), {"status": 400} | _IN_SESSION, ConnectionLost,
     {_LOST, _UNEXECUTED}),
    (_refusal(-32600, "Session not found"), {"status": 200}, MCPError, set()),
    (_refusal(-32600, "Session not found in the log of Monday"), {"status": 200} | _IN_SESSION,
     MCPError, set()),
    (_refusal(types.CONNECTION_CLOSED, "Connection closed"), {}, ConnectionLost, {_LOST}),
    (_refusal(-32602, "no such tool"), {"status": 200}, MCPError, set()),
    (_refusal(-32602, "session_id is missing"), {"status": 400}, MCPError, set()),
    (_refusal(-32000, "out of coffee"), {}, MCPError, set()),
    (_refusal(-32603, "Server returned an error response"), {"status": 503}, MCPError, set()),
    (_status(404), {}, ServerUnavailable, {_UNEXECUTED}),
    (_status(401), {}, ServerUnavailable, {_LOST, _UNEXECUTED, _AUTH}),
    (httpx2.ConnectError("refused"), {}, ServerUnavailable, {_LOST, _UNEXECUTED}),
    (_invalid(), {}, MCPError, set()),
    (asyncio.CancelledError("the connection ended"), {}, ConnectionLost, {_LOST}),
    (RuntimeError("odd"), {}, ConnectionLost, {_LOST}),
]  # fmt: skip


@pytest.mark.parametrize(("error", "way", "kind", "means"), _TABLE)
def test_each_exception_has_its_meaning(
    error: BaseException, way: dict[str, Any], kind: type[MCPError], means: set[str]
) -> None:
    fault = _seen(error, way)
    assert type(fault.error) is kind
    assert _means(fault) == means
    assert "'site'" in str(fault.error)
    assert "secret" not in str(fault.error)


@pytest.mark.parametrize(("error", "way", "kind", "means"), _TABLE)
def test_a_group_means_what_its_first_real_cause_means(
    error: BaseException, way: dict[str, Any], kind: type[MCPError], means: set[str]
) -> None:
    group = BaseExceptionGroup("outer", [BaseExceptionGroup("inner", [error])])
    assert _means(_seen(group, way)) == means
    mixed = BaseExceptionGroup("outer", [asyncio.CancelledError(), group])
    if isinstance(error, Exception):
        assert isinstance(_seen(mixed, way).error, kind)


def test_a_request_that_the_process_never_took_was_not_done() -> None:
    closed = _refusal(types.CONNECTION_CLOSED, "Connection closed")
    fault = _seen(closed, entry=_CHILD, ending="it ended with status 9", unread=True)
    assert _means(fault) == {_LOST, _UNEXECUTED}
    assert str(fault.error) == "The MCP server 'child' is gone: it ended with status 9."


def test_a_process_that_went_away_in_a_call_is_told_with_its_end() -> None:
    closed = _refusal(types.CONNECTION_CLOSED, "Connection closed")
    fault = _seen(closed, entry=_CHILD, ending="it was killed by signal 9")
    assert str(fault.error) == (
        "The MCP server 'child' went away during the call of 'x': it was killed by signal 9. "
        "Whether it was done is not known."
    )


def test_a_process_that_became_no_server_is_told_with_its_command() -> None:
    ending = "it ended with status 1; it last wrote:\nno key"
    fault = not_started(_CHILD, ending, gone(_CHILD, ending))
    assert isinstance(fault.error, ServerUnavailable)
    assert "no key. Try its command by hand: run --it" in str(fault.error)
    refused = Fault(MCPError("no"))
    assert not_started(_CHILD, ending, refused) is refused


@pytest.mark.req("MCP-15")
def test_a_servers_words_in_an_error_are_short_and_hold_no_escapes() -> None:
    fault = _seen(_refusal(-32000, "\x1b[8mhidden\x1b[0m" + "x" * 100_000))
    assert "hidden" in str(fault.error)
    assert "\x1b" not in str(fault.error)
    assert len(str(fault.error)) < 3_000


def test_a_fault_that_is_one_already_stays() -> None:
    fault = Fault(MCPError("x"), Sign.LOST)
    assert _seen(fault) is fault


def test_an_answer_that_broke_off_is_worth_another_try_and_costs_no_other_call() -> None:
    fault = _seen(_refusal(-32603, "reset"), {"network": "cut_off"})
    assert fault.may_repeat(repeatable=True)
    assert not fault.may_repeat(repeatable=False)
    assert not fault.lost
    assert "Whether it was done is not known." in str(fault.error)
