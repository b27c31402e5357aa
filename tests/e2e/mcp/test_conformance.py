"""The protocol's own conformance suite, with our layer as the client, offline on loopback."""

import subprocess
import sys
from pathlib import Path

import pytest

_SCRIPT = Path(__file__).parents[3] / "scripts" / "conformance.py"
_PATIENCE = 900


@pytest.mark.req("MCP-14")
@pytest.mark.parametrize(("revision", "count"), [("2025-11-25", 18), ("2026-07-28", 32)])
def test_every_scenario_that_a_revision_requires_of_clients_passes(
    revision: str, count: int
) -> None:
    done = subprocess.run(
        [sys.executable, str(_SCRIPT), "--revision", revision],
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
    assert failed == [], done.stderr
    assert f"{revision}: {count} of {count} scenarios pass" in done.stdout
    assert done.returncode == 0
