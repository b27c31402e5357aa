"""Finding model servers that already run on this machine: Ollama, LM Studio, llama-server."""

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

Kind: TypeAlias = Literal["ollama", "lmstudio", "llama-server"]

_LIMIT: Final = 0.3
_MOST_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Place:
    """Where a kind of server listens, and what lists its models."""

    kind: Kind
    port: int
    path: str


PLACES: Final = (
    Place("ollama", 11434, "/api/tags"),
    Place("lmstudio", 1234, "/v1/models"),
    Place("llama-server", 8080, "/v1/models"),
)


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server that answered.

    Attributes:
        kind: What it is.
        base_url: For `Ollama`'s own API its root, for the others the ``/v1`` that OpenAI
            clients take.
        models: The names of its models.
    """

    kind: Kind
    base_url: str
    models: tuple[str, ...]


async def find_servers(places: Sequence[Place] = PLACES) -> list[FoundServer]:
    """Ask all places at once; whoever has not answered within 300 ms is not there."""
    found = await asyncio.gather(*(_ask(place) for place in places))
    return [server for server in found if server is not None]


async def _ask(place: Place) -> FoundServer | None:
    with contextlib.suppress(OSError, ValueError, TimeoutError):
        async with asyncio.timeout(_LIMIT):
            models = _names(place, json.loads(await _get(place)))
            base = f"http://127.0.0.1:{place.port}"
            return FoundServer(place.kind, base if place.kind == "ollama" else f"{base}/v1", models)
    return None


async def _get(place: Place) -> bytes:
    """Return the body of a GET; HTTP/1.0, so that its end is the connection's end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
    try:
        host = f"127.0.0.1:{place.port}"
        writer.write(f"GET {place.path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode("ascii"))
        answer = await reader.read(_MOST_BYTES)
        while more := await reader.read(_MOST_BYTES):
            answer += more
    finally:
        writer.close()
    head, _gap, body = answer.partition(b"\r\n\r\n")
    if b" 200 " not in head.split(b"\r\n")[0]:
        raise ValueError("it does not list models")
    return body


def _names(place: Place, answer: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON of a server
    """Return the model names of an answer.

    Raises:
        ValueError: It is some other server.
    """
    items, key = ("models", "name") if place.kind == "ollama" else ("data", "id")
    try:
        return tuple(str(item[key]) for item in answer[items])
    except (KeyError, TypeError) as error:
        raise ValueError("it is some other server") from error
