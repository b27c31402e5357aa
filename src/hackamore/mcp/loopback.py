"""Where the browser comes back to after a login: a page on this machine, for one answer.

It listens on 127.0.0.1 only, takes an answer only with the state that the login began with, and
leaves other requests (an icon, another program's guess) unanswered in substance.
"""

import asyncio
import html
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

ADDRESS: Final = "127.0.0.1"
PATH: Final = "/callback"
_REQUEST_LIMIT: Final = 10.0
_PAGE: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8">\
<title>Hackamore</title></head><body><p>{words}</p></body></html>
"""


class PortTaken(OSError):
    """Something else listens where the browser would come back to."""


@dataclass(frozen=True, slots=True)
class LoginAnswer:
    """What the authorization server sent the browser back with.

    Attributes:
        code: To be exchanged for tokens; "" when it refused.
        state: What the login began with.
        issuer: Who answers (RFC 9207), if it says so.
        error: Why it refused; "" when it did not.
    """

    code: str
    state: str
    issuer: str | None
    error: str


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        port: int = probe.getsockname()[1]
        return port


def redirect_uri(port: int) -> str:
    """Return the address that the browser comes back to."""
    return f"http://{ADDRESS}:{port}{PATH}"


@asynccontextmanager
async def listening(port: int, state: str) -> "AsyncGenerator[asyncio.Future[LoginAnswer], None]":
    """Listen for one answer; at the end nothing listens any more.

    Args:
        port: Where to listen.
        state: What the login began with; an answer with another one is not taken.

    Yields:
        The answer, once it is there.

    Raises:
        PortTaken: The port is not free.
    """
    page = _Page(port, state)
    try:
        server = await asyncio.start_server(page.answer, ADDRESS, port)
    except OSError as error:
        raise PortTaken(*error.args) from error
    try:
        yield page.found
    finally:
        server.close()
        await page.close()


class _Page:
    """Answers requests until one of them is the browser's."""

    def __init__(self, port: int, state: str) -> None:
        self._host = f"{ADDRESS}:{port}"
        self._state = state
        self._open: set[asyncio.Task[None]] = set()
        self.found: asyncio.Future[LoginAnswer] = asyncio.get_running_loop().create_future()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection."""
        task = asyncio.current_task()
        if task is not None:
            self._open.add(task)
            task.add_done_callback(self._open.discard)
        try:
            async with asyncio.timeout(_REQUEST_LIMIT):
                await self._serve(reader, writer)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def close(self) -> None:
        """End the connections that are still open, such as a browser's spare ones."""
        tasks = list(self._open)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.found.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        answer = self._read(head)
        if answer is None:
            words, status = "There is nothing here.", "404 Not Found"
        elif answer.error:
            words, status = f"The login was refused: {answer.error}", "200 OK"
        else:
            words, status = "You are logged in. You may close this window.", "200 OK"
        writer.write(_response(status, words))
        await writer.drain()
        if answer is not None and not self.found.done():
            self.found.set_result(answer)

    def _read(self, head: str) -> LoginAnswer | None:
        """Return the answer that a request carries, or None when it is none of ours."""
        request, *headers = head.split("\r\n")
        method, _, rest = request.partition(" ")
        target = rest.partition(" ")[0]
        hosts = [line[5:].strip() for line in headers if line.lower().startswith("host:")]
        with suppress(ValueError):
            parts = urlsplit(target)
            if method == "GET" and parts.path == PATH and hosts == [self._host]:
                return self._answer(parse_qs(parts.query))
        return None

    def _answer(self, query: dict[str, list[str]]) -> LoginAnswer | None:
        found = {name: values[0] for name, values in query.items() if len(values) == 1}
        if found.get("state") != self._state or not ("code" in found or "error" in found):
            return None
        words = (found.get("error", ""), found.get("error_description", ""))
        return LoginAnswer(
            code=found.get("code", ""),
            state=self._state,
            issuer=found.get("iss"),
            error=": ".join(word for word in words if word),
        )


def _response(status: str, words: str) -> bytes:
    body = _PAGE.format(words=html.escape(words)).encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\nCache-Control: no-store\r\n"
        "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n\r\n"
    )
    return head.encode() + body
