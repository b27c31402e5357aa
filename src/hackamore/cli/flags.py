"""The flags that all commands with an agent share."""

import argparse
from pathlib import Path

from hackamore.compose.options import Options
from hackamore.core.errors import UsageError

_FORMATS = ("auto", "native", "xml", "react", "hermes")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the shared flags to a command."""
    parser.add_argument("--workspace", metavar="DIR", default=".", help="the project (default: .)")
    parser.add_argument("--model", metavar="P:M", help="provider:model, such as ollama:qwen3")
    parser.add_argument("--base-url", metavar="URL", help="where an OpenAI-compatible server is")
    parser.add_argument(
        "--tool-format",
        metavar="F",
        choices=_FORMATS,
        help=f"how the model asks for tools: {', '.join(_FORMATS)}",
    )
    parser.add_argument("--mode", metavar="M", default="act", help="plan, act or a configured one")
    parser.add_argument(
        "--approve",
        choices=("ask", "edits", "all", "none"),
        default="ask",
        help="ask before writing and running (default), let edits pass, let all pass that the "
        "policy does not deny, or let nothing pass that needs asking",
    )
    parser.add_argument(
        "--sandbox",
        choices=("full", "landlock", "none"),
        help="the least level that will do (default: full); none turns the protection off",
    )
    parser.add_argument(
        "--max-steps", metavar="N", type=int, default=50, help="requests to the model (default: 50)"
    )
    parser.add_argument(
        "--mcp",
        metavar="FILE",
        action="append",
        default=[],
        help="a file of MCP servers (mcpServers); may be given more than once",
    )
    parser.add_argument("--json", action="store_true", help="print one event a line, as JSON")
    parser.add_argument("--yes", action="store_true", help="fetch a model without asking")


def options_of(parsed: argparse.Namespace) -> Options:
    """Return the flags as options.

    Raises:
        UsageError: The workspace is no folder, or a number makes no sense.
    """
    workspace = Path(parsed.workspace).expanduser()
    if not workspace.is_dir():
        raise UsageError(
            f"The workspace {parsed.workspace!r} is not a folder.", hint="See --workspace."
        )
    if parsed.max_steps < 1:
        raise UsageError("--max-steps must be at least 1.")
    return Options(
        workspace=workspace.resolve(),
        model=parsed.model,
        base_url=parsed.base_url,
        tool_format=parsed.tool_format,
        mode=parsed.mode,
        approve=parsed.approve,
        sandbox=parsed.sandbox,
        max_steps=parsed.max_steps,
        yes=parsed.yes,
        mcp=tuple(Path(name).expanduser() for name in parsed.mcp),
    )
