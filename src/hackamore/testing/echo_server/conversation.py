"""One client's conversation with an echo server: a message in, a message or nothing out."""

from typing import Final, cast

from hackamore.core.json import JSON, JSONObject
from hackamore.testing.echo_server.script import Script

_NEWEST: Final = "2025-11-25"
_METHOD_NOT_FOUND: Final = -32601
_INVALID_PARAMS: Final = -32602


class Conversation:
    """Answers the handshake revisions of the protocol; knows no transport."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._initialized = False

    def answer(self, message: JSONObject) -> JSONObject | None:
        """Return the answer to a message; None to a notification or a response."""
        method = message.get("method")
        if method == "notifications/initialized":
            self._initialized = True
        if method is None or "id" not in message:
            return None
        reply = self._reply(str(method), cast(JSONObject, message.get("params") or {}))
        return {"jsonrpc": "2.0", "id": message["id"], **reply}

    def _reply(self, method: str, params: JSONObject) -> JSONObject:
        if method == "initialize":
            return {"result": _greeting(str(params.get("protocolVersion", _NEWEST)))}
        if self._script.strict and not self._initialized:
            return _error(_INVALID_PARAMS, "Received request before initialization was complete")
        if method == "tools/list":
            return {"result": self._script.page(cast("str | None", params.get("cursor")))}
        if method == "tools/call":
            return {"result": self._script.result(str(params["name"]), params.get("arguments"))}
        if method in ("ping", "logging/setLevel"):
            return {"result": {}}
        return _error(_METHOD_NOT_FOUND, f"Method not found: {method}")


def _greeting(asked: str) -> JSON:
    return {
        "protocolVersion": min(asked, _NEWEST),
        "capabilities": {"tools": {"listChanged": True}},
        "serverInfo": {"name": "echo", "version": "1"},
        "instructions": "Says back what it is told.",
    }


def _error(code: int, message: str) -> JSONObject:
    return {"error": {"code": code, "message": message}}
