"""The HTTP server: one thread a connection, on loopback only, and bounded in every wait."""

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast

from hackamore.core.json import JSON
from hackamore.testing.fake_provider.chunks import error_body, stream_chunks, whole_answer
from hackamore.testing.fake_provider.script import Answer, Script

MODEL: Final = "fake-model"
_LONGEST_STALL: Final = 300.0
_ERROR: Final = 400
_SCRIPT_OVER: Final = Answer(status=500, error="the script of the fake provider is over")


class FakeProvider:
    """Serves a script until it is stopped.

    Attributes:
        requests: The bodies of the chat requests so far, in order.
    """

    def __init__(
        self, answers: Sequence[Answer] | Script, *, port: int = 0, log: Path | None = None
    ) -> None:
        """Prepare a server.

        Args:
            answers: What to say, request by request; after the last one, status 500.
            port: Where to listen on 127.0.0.1; 0 takes a free port.
            log: A file to which each request's body is added as a line of JSON.
        """
        self._script = answers if isinstance(answers, Script) else Script(tuple(answers))
        self._log = log
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self.requests: list[dict[str, Any]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def base_url(self) -> str:
        """What a client takes as its base URL; ends with ``/v1``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def start(self) -> None:
        """Begin to serve, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop serving; what stalls ends."""
        self._stopped.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def wait(self, seconds: float) -> None:
        """Wait, but not beyond the end of serving."""
        self._stopped.wait(seconds)

    def next_answer(self, body: dict[str, Any]) -> Answer:
        """Note a request and return what to say to it."""
        with self._lock:
            number = len(self.requests)
            self.requests.append(body)
            if self._log is not None:
                with self._log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(body, ensure_ascii=False) + "\n")
        answers = self._script.answers
        if number < len(answers):
            return answers[number]
        return answers[-1] if answers and self._script.repeat_last else _SCRIPT_OVER


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection's requests."""

    protocol_version = "HTTP/1.1"
    provider: FakeProvider

    def do_GET(self) -> None:  # the name that http.server calls
        """List the one model."""
        if self.path.rstrip("/").endswith("/models"):
            self._send(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})
        else:
            self._send(404, {"error": {"message": f"there is no {self.path} here"}})

    def do_POST(self) -> None:  # the name that http.server calls
        """Answer a chat request from the script."""
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.path.rstrip("/").endswith("/chat/completions"):
            self._send(404, {"error": {"message": f"there is no {self.path} here"}})
            return
        try:
            body = cast(dict[str, Any], json.loads(raw))
        except ValueError:
            self._send(400, {"error": {"message": "the body is not JSON"}})
            return
        answer = self.provider.next_answer(body)
        self.provider.wait(answer.delay)
        if answer.status >= _ERROR:
            self._send(answer.status, error_body(answer), answer.retry_after)
        elif body.get("stream"):
            self._stream(answer, str(body.get("model", MODEL)), len(raw))
        else:
            self._send(200, whole_answer(answer, str(body.get("model", MODEL)), len(raw)))

    def _send(self, status: int, body: JSON, retry_after: float | None = None) -> None:
        data = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if retry_after is not None:
            self.send_header("Retry-After", f"{retry_after:g}")
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, answer: Answer, model: str, asked: int) -> None:
        """Send the answer chunk by chunk; stop before its end when the script says so."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        chunks = list(stream_chunks(answer, model, asked))
        if answer.stall or answer.cut:
            del chunks[-2 if answer.usage else -1 :]
        try:
            for chunk in chunks:
                self.provider.wait(answer.chunk_delay)
                self._event(json.dumps(chunk, ensure_ascii=False))
            if answer.stall:
                self.provider.wait(_LONGEST_STALL)
            elif not answer.cut:
                self._event("[DONE]")
        except (BrokenPipeError, ConnectionResetError):
            return

    def _event(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # http.server's name
        """Keep quiet: stdout and stderr belong to whoever started the server."""


def _handler(provider: FakeProvider) -> type[_Handler]:
    """Return a handler class that knows its provider, as http.server wants it."""
    return type("Handler", (_Handler,), {"provider": provider})
