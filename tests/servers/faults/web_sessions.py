"""HTTP servers that lose sessions or connections."""

import json
import time

from servers.faults.http import Handler, Stream
from servers.faults.server import Message


class LosesSession(Handler):
    """Forgets all sessions after the first call, as a restart does; answers 404 without words."""

    status = 404
    code = 0

    def called(self, message: Message) -> None:
        super().called(message)
        if self.server.server.options.due() and self.server.calls == 1:
            self.server.sessions.clear()

    def lost(self, message: Message) -> None:
        self.send(self.status, self._words(message))

    def _words(self, message: Message) -> bytes:
        if not self.code:
            return b""
        error = {"code": self.code, "message": "Session not found"}
        return json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "error": error}).encode()


class Lost404Invalid(LosesSession):
    """Answers 404 and -32600."""

    code = -32600


class Lost400Invalid(LosesSession):
    """Answers 400 and -32600."""

    status, code = 400, -32600


class Lost404Internal(LosesSession):
    """Answers 404 and -32603."""

    code = -32603


class Lost400Internal(LosesSession):
    """Answers 400 and -32603."""

    status, code = 400, -32603


class Lost200Invalid(LosesSession):
    """Answers 200 and -32600."""

    status, code = 200, -32600


class DropsInCall(Handler):
    """Closes the connection in the middle of a call, after running it."""

    def called(self, message: Message) -> None:
        if not self.server.server.options.due():
            super().called(message)
            return
        self.server.server.options.note("call", message["params"])
        self.close_connection = True
        self.connection.close()


class DropsStream(Handler):
    """Answers a call with a stream, and closes the connection within an event."""

    def called(self, message: Message) -> None:
        if not self.server.server.options.due():
            super().called(message)
            return
        self.server.server.options.note("call", message["params"])
        Stream(self, {}).write(b'data: {"jsonrpc":"2.0","id"')
        self.close_connection = True
        self.connection.close()


class EndsStreamEarly(Handler):
    """Answers a call with a stream that ends properly without the answer."""

    def called(self, message: Message) -> None:
        self.server.server.options.note("call", message["params"])
        Stream(self, {}).end()


class SlowHeaders(Handler):
    """Answers calls `seconds` late, with no byte before."""

    def called(self, message: Message) -> None:
        time.sleep(self.server.server.options.seconds)
        super().called(message)


class Overloaded(Handler):
    """Answers calls with `count`, 503 by default, and a page for people."""

    def called(self, message: Message) -> None:
        if self.server.server.options.due():
            page = b"<html><h1>Try later</h1></html>"
            headers = {"Content-Type": "text/html", "Retry-After": "1"}
            self.send(self.server.server.options.count or 503, page, headers)
        else:
            super().called(message)


class NotMCP(Handler):
    """Answers everything with a web page."""

    def do_POST(self) -> None:
        self.body()
        self.do_GET()

    def do_GET(self) -> None:
        self.send(200, b"<html>Welcome</html>", {"Content-Type": "text/html"})


FAULTS = {
    "lost-404": LosesSession,
    "lost-404-32600": Lost404Invalid,
    "lost-400-32600": Lost400Invalid,
    "lost-404-32603": Lost404Internal,
    "lost-400-32603": Lost400Internal,
    "lost-200-32600": Lost200Invalid,
    "drop-in-call": DropsInCall,
    "drop-stream": DropsStream,
    "end-stream-early": EndsStreamEarly,
    "slow-headers": SlowHeaders,
    "overloaded": Overloaded,
    "not-mcp": NotMCP,
}
