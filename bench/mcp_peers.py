"""The environments of the MCP benchmark's peers, made once in ``.bench/``, versions pinned."""

import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / ".bench"
PEERS: Final = {
    "adapters": ("langchain-mcp-adapters==0.3.2", "mcp==1.30.0", "langchain-core==1.8.3"),
    "mcp-use": ("mcp-use==1.7.1", "mcp==1.30.0", "langchain==1.5.2"),
    "fastmcp": ("fastmcp==4.2.3", "mcp==2.3.0", "langchain[mcp]==1.5.2"),
}
"""Peers that cannot live beside this project, or should not: the old adapters want ``mcp<2``."""


def python_of(peer: str, folder: Path = FOLDER) -> str:
    """Return the Python of a peer's environment, made when it is missing; "" is our own.

    Raises:
        subprocess.CalledProcessError: It cannot be installed.
    """
    if not peer:
        return sys.executable
    python = folder / peer / "bin" / "python"
    ready = folder / peer / ".ready"
    if not ready.exists():
        print(f"Installing {', '.join(PEERS[peer])} into {folder / peer}", file=sys.stderr)
        venv.create(folder / peer, with_pip=True, clear=True)
        quiet = ("--quiet", "--disable-pip-version-check")
        command = [str(python), "-m", "pip", "install", *quiet, *PEERS[peer]]
        subprocess.run(command, check=True)
        ready.touch()
    return str(python)
