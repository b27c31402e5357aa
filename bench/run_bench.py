"""What a whole run costs: the two-step task (read a file, answer) against a fake provider.

Prints CPU and memory of the whole process tree beside two floors from the same run: bare Python
that makes the same two requests, and Python with LangChain that makes them. Then the start-up by
part and the tokens of each part of the prompt.
"""

import argparse
import ctypes
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from hackamore.testing.fake_provider import Answer, FakeProvider
from hackamore.testing.fake_provider.script import Script

ROOT: Final = Path(__file__).parents[1]
EXAMPLE: Final = ROOT / "examples" / "basket"
HACKAMORE: Final = (sys.executable, "-m", "hackamore")
PR_SET_CHILD_SUBREAPER: Final = 36
READ: Final = Answer(calls=[{"name": "read_file", "arguments": {"path": "basket/prices.py"}}])
DONE: Final = Answer(text="It sums prices and gives discounts.")
BARE: Final = """
import json, sys, urllib.request
for _ in range(2):
    body = json.dumps({"model": "fake", "stream": True, "messages": []}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(sys.argv[1] + "/chat/completions", body, headers)
    for line in urllib.request.urlopen(request):
        if line.startswith(b"data: {"):
            json.loads(line[6:])
open("basket/prices.py").read()
"""
LANGCHAIN: Final = """
import sys
from langchain.chat_models import init_chat_model
model = init_chat_model("fake", model_provider="openai", base_url=sys.argv[1], api_key="none")
for _ in range(2):
    for chunk in model.stream("hello"):
        pass
open("basket/prices.py").read()
"""
PARTS: Final = {
    "Python": "pass",
    "asyncio": "import asyncio",
    "the command line": "import hackamore.cli.main",
    "the engine without a model": "import hackamore.compose.session, hackamore.cli.watch",
    "LangChain with OpenAI": "import hackamore.langchain.openai_compatible",
}


class Cost:
    """What a command cost with all that it started.

    Attributes:
        cpu: Seconds, of the command and of everything below it.
        memory: MB, peak of its largest process.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        environment = {**os.environ, "HACKAMORE_HOME": str(folder.parent / "home")}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            output = process.stdout.read() if process.stdout else b""
            _pid, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        _reap_orphans()
        if process.returncode != 0:
            raise SystemExit(output.decode("utf-8", "replace"))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.memory = usage.ru_maxrss / 1024


def _adopt_orphans() -> None:
    """Become the parent of what a command leaves behind, so that its CPU is counted too."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _reap_orphans() -> None:
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure a whole run, beside its floors.")
    parser.add_argument("--runs", type=int, default=5, help="of each command (default 5)")
    runs = parser.parse_args().runs
    _adopt_orphans()
    with tempfile.TemporaryDirectory() as temporary:
        folder = shutil.copytree(EXAMPLE, Path(temporary) / "basket-project")
        _whole_runs(folder, runs)
        _start_up(folder, runs)
        _prompt(folder)
    return 0


def _whole_runs(folder: Path, runs: int) -> None:
    flags = ("--model", "openai:fake", "--json", "--approve", "none")
    commands: dict[str, Callable[[str], Sequence[str]]] = {
        "bare Python (floor)": lambda url: (sys.executable, "-c", BARE, url),
        "LangChain alone (floor)": lambda url: (sys.executable, "-c", LANGCHAIN, url),
        "hackamore run": lambda url: (*HACKAMORE, "run", "--base-url", url, *flags, "what is it?"),
    }
    print(f"the two-step task, whole process tree, median of {runs}")
    print(f"{'':28}{'CPU s':>8}{'x floor':>9}{'peak MB':>9}")
    floor = 0.0
    for name, command in commands.items():
        costs = [_against_provider(command, folder) for _ in range(runs)]
        cpu = statistics.median(cost.cpu for cost in costs)
        memory = statistics.median(cost.memory for cost in costs)
        floor = floor or cpu
        print(f"{name:28}{cpu:8.2f}{cpu / floor:9.1f}{memory:9.0f}")


def _against_provider(command: Callable[[str], Sequence[str]], folder: Path) -> Cost:
    with FakeProvider(Script((READ, DONE))) as provider:
        return Cost(command(provider.base_url), folder)


def _start_up(folder: Path, runs: int) -> None:
    print(f"\nstart-up by part, median of {runs}")
    print(f"{'':28}{'CPU s':>8}{'x Python':>9}{'peak MB':>9}")
    floor = 0.0
    for name, code in PARTS.items():
        costs = [Cost((sys.executable, "-c", code), folder) for _ in range(runs)]
        cpu = statistics.median(cost.cpu for cost in costs)
        memory = statistics.median(cost.memory for cost in costs)
        floor = floor or cpu
        print(f"{name:28}{cpu:8.2f}{cpu / floor:9.1f}{memory:9.0f}")
    prompt = [
        Cost((*HACKAMORE, "prompt", "--model", "openai:x", "--json"), folder) for _ in range(runs)
    ]
    cpu = statistics.median(cost.cpu for cost in prompt)
    print(f"{'with sandbox and project':28}{cpu:8.2f}{cpu / floor:9.1f}")


def _prompt(folder: Path) -> None:
    print("\ntokens of the prompt's parts (about 4 characters each)")
    for tool_format in ("xml", "native"):
        command = (*HACKAMORE, "prompt", "--model", "openai:x", "--tool-format", tool_format)
        done = subprocess.run([*command, "--json"], cwd=folder, capture_output=True, check=True)
        parts = json.loads(done.stdout)
        listed = ", ".join(f"{part['name']} {part['tokens']}" for part in parts)
        print(f"  {tool_format}: {sum(part['tokens'] for part in parts)} = {listed}")


if __name__ == "__main__":
    sys.exit(main())
