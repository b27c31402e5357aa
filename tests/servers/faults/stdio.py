"""Carries a faulty server over stdin and stdout."""

import json
import os
import sys
import threading

from servers.faults.server import Message, Server


class Stdout:
    """The way to the client; one message at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def send(self, message: Message, encoded: bytes | None = None) -> None:
        self.write((encoded or json.dumps(message, ensure_ascii=False).encode()) + b"\n")

    def write(self, raw: bytes) -> None:
        with self._lock:
            try:
                sys.stdout.buffer.write(raw)
                sys.stdout.buffer.flush()
            except BrokenPipeError:
                os._exit(1)  # nobody reads any more


def serve(server: Server) -> None:
    """Answer until stdin ends; requests in threads, so that a cancellation is heard meanwhile."""
    stdout = Stdout()
    server.loose = stdout
    for line in sys.stdin.buffer:
        message: Message = json.loads(line)
        if "method" in message and "id" in message and not server.one_at_a_time:
            threading.Thread(target=server.receive, args=(message, stdout), daemon=True).start()
        else:
            server.receive(message, stdout)
