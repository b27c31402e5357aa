"""The echo server as Streamable HTTP on loopback: JSON answers, a session for each initialize."""

import asyncio
import json
import sys
import uuid
from dataclasses import dataclass
from typing import Final

from hackamore.core.json import JSONObject
from hackamore.testing.echo_server.conversation import Conversation
from hackamore.testing.echo_server.script import Script

_SESSION: Final = "mcp-session-id"
_LONGEST_BODY: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class _Response:
    status: str
    body: bytes = b""
    session: str = ""

    def encode(self) -> bytes:
        session = f"Mcp-Session-Id: {self.session}\r\n" if self.session else ""
        head = (
            f"HTTP/1.1 {self.status}\r\nContent-Type: application/json\r\n{session}"
            f"Content-Length: {len(self.body)}\r\n\r\n"
        )
        return head.encode("latin-1") + self.body


def serve(script: Script, *, port: int = 0, until_eof: bool = False) -> None:
    """Print the port and answer.

    Args:
        script: What to say.
        port: Where to listen on 127.0.0.1; 0 takes a free port.
        until_eof: Stop when stdin, a pipe, ends.
    """
    asyncio.run(_serve(script, port, until_eof=until_eof))


async def _serve(script: Script, port: int, *, until_eof: bool) -> None:
    server = await asyncio.start_server(_Sessions(script).connection, "127.0.0.1", port)
    print(server.sockets[0].getsockname()[1], flush=True)
    if until_eof:
        await _end_of_stdin()
    else:
        await server.serve_forever()


async def _end_of_stdin() -> None:
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    await reader.read()


class _Sessions:
    """All clients of one server, by session."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._conversations: dict[str, Conversation] = {}

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after the other."""
        try:
            while True:
                writer.write(self._respond(await _read(reader)).encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _respond(self, request: _Request) -> _Response:
        session = request.headers.get(_SESSION, "")
        if session and session not in self._conversations:
            return _Response("404 Not Found")
        if request.method == "DELETE":
            self._conversations.pop(session, None)
            return _Response("200 OK")
        if request.method != "POST":
            return _Response("405 Method Not Allowed")
        return self._post(session, json.loads(request.body))

    def _post(self, session: str, message: JSONObject) -> _Response:
        conversation = self._conversations.get(session) or Conversation(self._script)
        answer = conversation.answer(message)
        if answer is None:
            return _Response("202 Accepted")
        opened = ""
        if message["method"] == "initialize":
            opened = uuid.uuid4().hex
            self._conversations[opened] = conversation
        return _Response("200 OK", json.dumps(answer, separators=(",", ":")).encode(), opened)


async def _read(reader: asyncio.StreamReader) -> _Request:
    """Read one request with a body of a told length."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    length = min(int(headers.get("content-length") or 0), _LONGEST_BODY)
    return _Request(first.partition(" ")[0], headers, await reader.readexactly(length))
