"""Carries a faulty server over Streamable HTTP on loopback, properly; faults override this."""

import json
import threading
import uuid
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from servers.faults.server import LONGEST_LIFE, Message, Server

_SESSION: Final = "Mcp-Session-Id"


class Site(ThreadingHTTPServer):
    """One HTTP server: a faulty server, and the sessions that it knows."""

    daemon_threads = True

    def __init__(self, handler: type["Handler"], server: Server, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), handler)
        self.server = server
        self.sessions: set[str] = set()
        self.calls = 0

    @property
    def origin(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet when a client leaves early."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Site  # pyright: ignore[reportIncompatibleVariableOverride]  # it is only ever a Site

    def do_POST(self) -> None:
        """Take a message."""
        message: Message = json.loads(self.body())
        if message.get("method") == "initialize":
            session = uuid.uuid4().hex
            self.server.sessions.add(session)
            self.exchange(message, {_SESSION: session})
        elif self.is_lost():
            self.lost(message)
        elif message.get("method") == "tools/call":
            self.server.calls += 1
            self.called(message)
        else:
            self.exchange(message, {})

    def do_GET(self) -> None:
        """Keep a stream open for what belongs to no request."""
        if self.is_lost():
            self.send(404)
            return
        stream = Stream(self, {})
        self.server.server.loose = stream
        stream.stay_open()

    def do_DELETE(self) -> None:
        """Forget a session."""
        self.server.sessions.discard(self.headers.get(_SESSION, ""))
        self.send(200)

    def body(self) -> bytes:
        """Read the request's body."""
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def is_lost(self) -> bool:
        """Return whether the request names a session that the server does not know."""
        return self.headers.get(_SESSION, "") not in {"", *self.server.sessions}

    def lost(self, message: Message) -> None:
        """Answer a request of an unknown session."""
        self.send(404)

    def called(self, message: Message) -> None:
        """Answer a call of a tool."""
        self.exchange(message, {})

    def exchange(self, message: Message, headers: Mapping[str, str]) -> None:
        """Let the server answer: as JSON, or as a stream when it says more than the answer."""
        if "method" not in message or "id" not in message:
            self.server.server.receive(message, Nowhere())
            self.send(202)
            return
        answers = Answers(self, headers, message["id"])
        self.server.server.receive(message, answers)
        answers.close()

    def send(
        self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        """Send a whole response."""
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # http.server's name
        """Keep quiet."""


class Stream:
    """An event stream as the response, in chunks."""

    def __init__(self, handler: Handler, headers: Mapping[str, str]) -> None:
        self._handler = handler
        self._lock = threading.Lock()
        self._gone = threading.Event()
        handler.send_response(200)
        sent = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", **headers}
        for name, value in sent.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.flush()

    def send(self, message: Message, encoded: bytes | None = None) -> None:
        """Send a message as an event."""
        self.write(b"event: message\ndata: " + (encoded or json.dumps(message).encode()) + b"\n\n")

    def write(self, raw: bytes) -> None:
        """Send bytes; nothing when nobody listens any more."""
        if self._gone.is_set():
            return
        try:
            with self._lock:
                self._handler.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
                self._handler.wfile.flush()
        except OSError:
            self._gone.set()

    def stay_open(self) -> None:
        """Return when the client is gone; a comment now and then finds that out."""
        for _ in range(LONGEST_LIFE):
            if self._gone.wait(1):
                break
            self.write(b": still here\n\n")
        self._handler.close_connection = True

    def end(self) -> None:
        """End the stream properly."""
        if not self._gone.is_set():
            with self._lock:
                self._handler.wfile.write(b"0\r\n\r\n")


class Answers:
    """The response to a POST: JSON for a lone answer, else a stream."""

    def __init__(self, handler: Handler, headers: Mapping[str, str], number: Any) -> None:
        self._handler = handler
        self._headers = headers
        self._number = number
        self._stream = Stream(handler, headers) if handler.server.server.options.sse else None
        self._done = False

    def send(self, message: Message, encoded: bytes | None = None) -> None:
        """Send the answer, or something before it; nothing comes after it."""
        if self._done:
            return
        is_answer = "method" not in message and message.get("id") == self._number
        if self._stream is None and is_answer:
            self._done = True
            self._handler.send(200, encoded or json.dumps(message).encode(), self._headers)
            return
        if self._stream is None:
            self._stream = Stream(self._handler, self._headers)
        self._stream.send(message, encoded)

    def write(self, raw: bytes) -> None:
        """Send bytes as comments of the stream."""
        if self._stream is None:
            self._stream = Stream(self._handler, self._headers)
        self._stream.write(b": " + raw.replace(b"\n", b"\n: ") + b"\n\n")

    def close(self) -> None:
        """End the response."""
        if self._stream is not None:
            self._stream.end()
        elif not self._done:
            self._handler.send(200, b"", self._headers)


class Nowhere:
    """Where the answer to a notification goes."""

    def send(self, message: Message, encoded: bytes | None = None) -> None:
        """Drop it."""

    def write(self, raw: bytes) -> None:
        """Drop it."""
