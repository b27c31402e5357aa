"""The demo: a copy of a small broken project is repaired by a model on this machine.

When the model cannot be had, the same is shown with a scripted provider, and labelled so.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.rule import Rule

from hackamore.testing.fake_provider import FakeProvider, load_script

ROOT: Final = Path(__file__).parents[1]
EXAMPLE: Final = ROOT / "examples" / "basket"
SCRIPT: Final = ROOT / "examples" / "demo-answers.json"
HACKAMORE: Final = (sys.executable, "-m", "hackamore")
MODEL: Final = "qwen2.5-coder-1.5b"
FIX: Final = ("fix", "--approve", "all")

console = Console(highlight=False)


def main() -> int:
    """Show it; return the exit status of the repair."""
    console.print(Rule("Hackamore repairs a project"))
    console.print("First the model (fetched once, then kept for all projects).")
    fetched = _hackamore(ROOT, "models", "install", MODEL)
    with tempfile.TemporaryDirectory(prefix="hackamore-demo-") as folder:
        project = shutil.copytree(EXAMPLE, Path(folder) / EXAMPLE.name)
        console.print(f"The project is a copy of {EXAMPLE.relative_to(ROOT)}; one test fails.")
        if fetched == 0:
            return _with_the_model(project)
        return _with_a_script(project)


def _with_the_model(project: Path) -> int:
    console.print(Rule(f"hackamore {' '.join(FIX)} --model local:{MODEL}"))
    return _hackamore(project, *FIX, "--model", f"local:{MODEL}")


def _with_a_script(project: Path) -> int:
    console.print(
        "[bold yellow]No source of the model can be reached. What follows is the same run, but the "
        "answers are written down beforehand: no model thinks.[/]"
    )
    console.print(Rule("SCRIPTED: hackamore fix, against a fake provider"))
    with FakeProvider(load_script(_answers(project.parent))) as provider:
        server = ("--model", "openai:scripted-demo", "--base-url", provider.base_url)
        return _hackamore(project, *FIX, *server)


def _answers(folder: Path) -> Path:
    """Return the script with a Python in it that surely has pytest: this one."""
    text = SCRIPT.read_text(encoding="utf-8").replace("python3 ", f"{sys.executable} ")
    path = folder / SCRIPT.name
    path.write_text(text, encoding="utf-8")
    return path


def _hackamore(project: Path, *arguments: str) -> int:
    sys.stdout.flush()
    return subprocess.run([*HACKAMORE, *arguments], cwd=project, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
