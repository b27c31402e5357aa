"""The command line of the echo server."""

import argparse
import contextlib
import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from hackamore.testing.echo_server.script import ECHO, Script


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve; with HTTP the port is the only line on stdout."""
    parsed = _parser().parse_args(arguments)
    script = Script(
        tools=_json(parsed.tools, [ECHO]),
        results=_json(parsed.results, {}),
        page_size=parsed.page_size,
        wire_log=parsed.wire_log,
        strict=parsed.strict,
    )
    with contextlib.suppress(KeyboardInterrupt):
        _serve(script, parsed)
    return 0


def _serve(script: Script, parsed: argparse.Namespace) -> None:
    """Load only the transport that is asked for: stdio starts in half the time without asyncio."""
    transport = import_module(f"hackamore.testing.echo_server.{parsed.transport}")
    if parsed.transport == "http":
        transport.serve(script, port=parsed.port, until_eof=parsed.until_eof)
    else:
        transport.serve(script)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hackamore.testing.echo_server",
        description="An MCP server that says back what it is told.",
    )
    parser.add_argument("transport", choices=("stdio", "http"))
    parser.add_argument("--port", type=int, default=0, help="of http; default: a free port")
    parser.add_argument("--until-eof", action="store_true", help="http: stop when stdin ends")
    parser.add_argument("--tools", type=Path, metavar="FILE", help="a JSON list of tools")
    parser.add_argument("--results", type=Path, metavar="FILE", help="JSON: results by tool name")
    parser.add_argument("--page-size", type=int, default=0, metavar="N", help="tools on a page")
    parser.add_argument("--wire-log", type=Path, metavar="FILE", help="gets each call as a line")
    parser.add_argument("--strict", action="store_true", help="the handshake first, or an error")
    return parser


def _json(path: Path | None, otherwise: Any) -> Any:  # noqa: ANN401  # JSON of any kind
    return otherwise if path is None else json.loads(path.read_text(encoding="utf-8"))
