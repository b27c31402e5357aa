"""A proper server on the SDK that speaks both eras: ``modern.py [--http | --sse]``.

Over HTTP it prints its port and ends when stdin ends. It has tools (one that asks the person, one
that reports progress, one that adds a tool), resources, a template, prompts and completion.
"""

import argparse
import os
import signal
import socket
import sys
import threading
from typing import Annotated, Final

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
    ToolAnnotations,
)
from pydantic import BaseModel

_LONGEST_LIFE: Final = 120
_STATELESS: Final = "2026-07-28"
_CITIES: Final = ("Oslo", "Ottawa", "Paris")

server: Final = MCPServer(
    "modern", version="1", instructions="Ask for the weather of a city.", log_level="CRITICAL"
)


class Name(BaseModel):
    """What the person is asked for."""

    name: str


class Weather(BaseModel):
    """A result with a schema of its own."""

    city: str
    degrees: float


def ask_name() -> Elicit[Name]:
    """Ask the person."""
    return Elicit("What is your name?", Name)


@server.tool(annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True))
def weather(city: str) -> Weather:
    """Tell the weather of a city."""
    return Weather(city=city, degrees=21.5)


@server.tool()
def greet(greeting: str, who: Annotated[Name, Resolve(ask_name)]) -> str:
    """Greet the person by the name that they give."""
    return f"{greeting}, {who.name}!"


@server.tool()
async def count(to: int, context: Context) -> str:
    """Count, with progress."""
    for number in range(1, to + 1):
        await context.report_progress(number, to, f"number {number}")
    return f"counted to {to}"


@server.tool()
async def grow(context: Context) -> str:
    """Add a tool, and say that the list has changed, as the era wants it."""
    server.add_tool(lambda: "new", name="grown", description="Came later.")
    if context.protocol_version == _STATELESS:
        await context.notify_tools_changed()
    else:
        await context.session.send_tool_list_changed()
    return "there is one tool more"


@server.tool()
async def touch(context: Context) -> str:
    """Say that a resource has changed."""
    await context.notify_resource_updated("notes://today")
    return "touched"


@server.tool()
def fail(reason: str) -> str:
    """Fail."""
    raise ToolError(reason)


@server.tool()
def protocol(context: Context) -> str:
    """Tell which revision is spoken."""
    return str(context.protocol_version)


@server.resource("notes://today", mime_type="text/markdown")
def today() -> str:
    """Today's notes."""
    return "# Today\nBuy milk."


@server.resource("notes://picture", mime_type="image/gif")
def picture() -> bytes:
    """A picture."""
    return b"GIF89a"


@server.resource("city://{city}/weather")
def city_weather(city: str) -> str:
    """The weather of a city."""
    return f"{city}: 21.5"


@server.prompt()
def describe(city: str, style: str = "short") -> str:
    """Describe a city."""
    return f"Describe {city} in a {style} style."


@server.completion()
async def complete(
    reference: PromptReference | ResourceTemplateReference,
    argument: CompletionArgument,
    context: CompletionContext | None,
) -> Completion | None:
    """Complete the names of cities."""
    if argument.name != "city":
        return None
    return Completion(values=[city for city in _CITIES if city.startswith(argument.value)])


def main() -> None:
    """Serve over what is asked for."""
    signal.alarm(_LONGEST_LIFE)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--http", action="store_true", help="Streamable HTTP")
    parser.add_argument("--sse", action="store_true", help="the old HTTP+SSE, at /sse")
    parsed = parser.parse_args()
    if not parsed.http and not parsed.sse:
        server.run("stdio")
        return
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    app = server.sse_app() if parsed.sse else server.streamable_http_app()
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])


def _end_with_stdin() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
