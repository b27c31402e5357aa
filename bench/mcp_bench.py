"""MCP clients side by side: one run, rounds that alternate, the same echo server.

Each contender is a process of its own, in its own environment, led by lines; so a busy moment of
the machine hits all alike. Times are CPU of the client's process per call; trust the ratios.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mcp_peers import python_of

HERE: Final = Path(__file__).parent
SERVER: Final = (sys.executable, "-m", "hackamore.testing.echo_server")
AT_ONCE: Final = 50
SESSION_PER_CALL: Final = frozenset({"adapters_default"})
WHAT: Final = {
    "floor": ("hand-written asyncio", ""),
    "sdk": ("MCP SDK 2.3, bare", ""),
    "ours": ("Hackamore, bare call", ""),
    "fastmcp": ("fastmcp 4.2, bare call", "fastmcp"),
    "ours_langchain": ("Hackamore, LangChain tool", ""),
    "mcp_use": ("mcp-use 1.7, LangChain tool", "mcp-use"),
    "adapters_kept": ("langchain-mcp-adapters 0.3, session kept", "adapters"),
    "langchain_mcp": ("langchain.mcp 1.5 (beta), kept open", "fastmcp"),
    "adapters_default": ("langchain-mcp-adapters 0.3, default", "adapters"),
}
"""What each contender is, and the environment that it runs in."""


@dataclass
class Runner:
    """A contender's process and what it measured so far."""

    name: str
    process: "subprocess.Popen[str]"
    start_ms: float = 0.0
    rss_mb: float = 0.0
    measured: dict[str, list[float]] = field(default_factory=dict[str, list[float]])

    def hear(self) -> dict[str, float]:
        """Read one line of measurements.

        Raises:
            ChildProcessError: The contender is gone.
        """
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise ChildProcessError(f"{self.name} has ended")
        return json.loads(line)

    def ask(self, *words: object) -> None:
        """Let it measure."""
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        for name, value in self.hear().items():
            self.measured.setdefault(name, []).append(value)

    def median(self, name: str) -> float:
        """Return the middle of all rounds."""
        return statistics.median(self.measured[name])

    def ratio(self, name: str, other: "Runner") -> float:
        """Return the middle of the ratios of each round, so that a busy moment cancels out."""
        pairs = zip(self.measured[name], other.measured[name], strict=True)
        return statistics.median(mine / theirs for mine, theirs in pairs)


@contextmanager
def started(name: str, target: Any) -> Generator[Runner]:
    """Start a contender and wait until it is connected."""
    command = [python_of(WHAT[name][1]), str(HERE / "mcp_contender.py"), name, json.dumps(target)]
    process = subprocess.Popen(
        command,
        env=os.environ | {"MCP_USE_ANONYMIZED_TELEMETRY": "false"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        runner = Runner(name, process)
        ready = runner.hear()
        runner.start_ms, runner.rss_mb = ready["start_ms"], ready["rss_mb"]
        yield runner
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def echo_site() -> Generator[str]:
    """Run the echo server over HTTP."""
    command = [*SERVER, "http", "--until-eof"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp"
    finally:
        process.communicate()


def measure(target: Any, names: Sequence[str], rounds: int, calls: int) -> list[Runner]:
    """Let all contenders take turns; those that cannot start are named and left out."""
    with ExitStack() as stack:
        runners: list[Runner] = []
        for name in names:
            try:
                runners.append(stack.enter_context(started(name, target)))
            except (ChildProcessError, subprocess.CalledProcessError) as error:
                print(f"left out: {error}", file=sys.stderr)
        for number in range(rounds):
            for runner in runners[number % len(runners) :] + runners[: number % len(runners)]:
                slow = 20 if runner.name in SESSION_PER_CALL else 1
                runner.ask("sequential", max(calls // slow, 5))
                runner.ask("together", max(calls // slow, AT_ONCE), AT_ONCE)
        return runners


def table(transport: str, runners: Sequence[Runner]) -> list[str]:
    """Return the rows of a Markdown table."""
    by_name = {runner.name: runner for runner in runners}
    base = by_name.get("sdk")
    rows = [
        f"| {transport} | CPU µs/call | x SDK | p50 µs | x SDK | calls/s at {AT_ONCE} | "
        "start, CPU ms | MB |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for runner in runners:
        cells = [WHAT[runner.name][0]]
        for measured in ("cpu_us", "p50_us"):
            cells.append(f"{runner.median(measured):.0f}")
            cells.append(f"{runner.ratio(measured, base):.2f}" if base else "")
        cells.append(f"{runner.median('per_second'):.0f}")
        cells.append(f"{runner.start_ms:.0f}")
        cells.append(f"{runner.rss_mb:.0f}")
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def promises(transport: str, runners: Sequence[Runner]) -> list[tuple[bool, str]]:
    """Return whether each promise of LC-06 is kept, and in which words."""
    by_name = {runner.name: runner for runner in runners}
    ours = by_name.get("ours_langchain")
    if ours is None:
        return [(False, f"{transport}: Hackamore's LangChain tool could not be measured")]
    faster = 40 if transport == "stdio" else 20
    kept: list[tuple[bool, str]] = []
    for peer, most in (("adapters_kept", 0.6), ("mcp_use", 0.8)):
        if peer in by_name:
            ratio = ours.ratio("cpu_us", by_name[peer])
            words = f"{transport}: {ratio:.2f} x the CPU of {WHAT[peer][0]}, at most {most}"
            kept.append((ratio <= most, words))
    if "adapters_default" in by_name:
        ratio = by_name["adapters_default"].ratio("p50_us", ours)
        words = f"{transport}: {ratio:.0f} x as fast as the default adapters, at least {faster}"
        kept.append((ratio >= faster, words))
    return kept


def main() -> int:
    """Measure, print, and fail when a promise is broken."""
    parsed = _parser().parse_args()
    names = [name for name in WHAT if name in (parsed.only or WHAT)]
    lines: list[str] = []
    verdicts: list[tuple[bool, str]] = []
    with echo_site() as url:
        targets = {"stdio": [*SERVER, "stdio"], "http": url}
        for transport in parsed.transport or targets:
            runners = measure(targets[transport], names, parsed.rounds, parsed.calls)
            lines += [*table(transport, runners), ""]
            verdicts += promises(transport, runners)
    lines += [f"- {'kept' if kept else 'BROKEN'}: {words}" for kept, words in verdicts]
    print("\n".join(lines))
    if parsed.markdown:
        parsed.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(not parsed.only and not all(kept for kept, _ in verdicts))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often all take turns")
    parser.add_argument("--calls", type=int, default=300, help="calls in a round")
    parser.add_argument("--only", nargs="+", choices=tuple(WHAT), help="only these contenders")
    parser.add_argument("--transport", nargs="+", choices=("stdio", "http"), help="only these")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
