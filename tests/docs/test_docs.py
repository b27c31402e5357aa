"""Every code block of the documentation is run, or checked as far as it can be."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from hackamore.config.load import Source, load
from hackamore.mcp.config import parse_servers
from hackamore.testing.fake_provider import load_script

_ROOT = Path(__file__).parents[2]
_PAGES = sorted([*_ROOT.glob("*.md"), *(_ROOT / "docs").rglob("*.md")])
_FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
_PATIENCE = 60
_SHOWN = frozenset({"text", "mermaid"})
_PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
_VARIABLES = {"HOME": "/home/me", "DOCS_TOKEN": "x", "DATABASE": "x"}


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    page: Path
    language: str
    text: str
    number: int

    def __str__(self) -> str:
        return f"{self.page.relative_to(_ROOT)}-{self.number}-{self.language}"


def _blocks() -> list[Block]:
    return [
        Block(page, found.group(2).strip(), found.group(3), number)
        for page in _PAGES
        for number, found in enumerate(_FENCE.finditer(page.read_text(encoding="utf-8")), 1)
    ]


def _of(*languages: str) -> list[Block]:
    return [block for block in _blocks() if block.language in languages]


def _targets() -> set[str]:
    makefile = (_ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))


@pytest.mark.req("UX-05")
def test_every_block_has_a_language_that_is_checked() -> None:
    known = {"python", "toml", "toml project", "json", "json mcp", "sh", "console", *_SHOWN}
    assert [str(block) for block in _blocks() if block.language not in known] == []


@pytest.mark.req("UX-05")
@pytest.mark.parametrize("block", _of("python"), ids=str)
def test_python_blocks_run(block: Block, tmp_path: Path) -> None:
    project = shutil.copytree(_ROOT / "examples" / "basket", tmp_path / "basket")
    subprocess.run(
        [sys.executable, "-W", "error", "-c", block.text],
        cwd=project,
        env=os.environ | {"PATH": _PATH, "HACKAMORE_HOME": str(tmp_path / "hackamore")},
        check=True,
        timeout=_PATIENCE,
    )


@pytest.mark.req("UX-05", "UX-01")
@pytest.mark.parametrize("block", _of("sh"), ids=str)
def test_shell_blocks_are_shell_and_name_real_targets_and_commands(block: Block) -> None:
    subprocess.run(["bash", "-n", "-c", block.text], check=True, timeout=_PATIENCE)
    for target in re.findall(r"^make ([a-z]+)", block.text, re.MULTILINE):
        assert target in _targets()
    for command in re.findall(r"^hackamore ([a-z-]+)", block.text, re.MULTILINE):
        line = [sys.executable, "-m", "hackamore", command, "--help"]
        subprocess.run(line, check=True, capture_output=True, timeout=_PATIENCE)


@pytest.mark.req("UX-05")
@pytest.mark.parametrize("block", _of("console"), ids=str)
def test_console_blocks_do_what_they_show(block: Block, tmp_path: Path) -> None:
    project = shutil.copytree(_ROOT / "examples" / "basket", tmp_path / "basket")
    commands = [line[2:] for line in block.text.splitlines() if line.startswith("$ ")]
    shown = [line for line in block.text.splitlines() if line and not line.startswith("$ ")]
    environment = {
        "PATH": _PATH,
        "HOME": str(tmp_path),
        "HACKAMORE_HOME": str(tmp_path / "hackamore"),
    }
    done = subprocess.run(
        ["bash", "-c", "\n".join(commands)],
        cwd=project,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    printed = done.stdout + done.stderr
    missing = [line for line in shown if line.strip() not in printed and line.strip() != "…"]
    assert missing == [], printed


@pytest.mark.req("UX-05")
@pytest.mark.parametrize("block", _of("toml", "toml project"), ids=str)
def test_configuration_blocks_are_accepted(block: Block, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(block.text, encoding="utf-8")
    assert load([Source(path, project=block.language == "toml project")]).sources


@pytest.mark.req("UX-05")
@pytest.mark.parametrize("block", _of("json"), ids=str)
def test_json_blocks_are_scripts_that_the_fake_provider_reads(block: Block, tmp_path: Path) -> None:
    json.loads(block.text)
    path = tmp_path / "script.json"
    path.write_text(block.text, encoding="utf-8")
    assert load_script(path).answers


@pytest.mark.req("UX-05", "MCP-01")
@pytest.mark.parametrize("block", _of("json mcp"), ids=str)
def test_server_blocks_are_accepted_without_a_complaint(block: Block) -> None:
    config = parse_servers(block.text, source="a", variables=_VARIABLES, workspace="/ws")
    assert config.entries
    assert config.problems == ()


@pytest.mark.req("UX-05")
@pytest.mark.parametrize("page", _PAGES, ids=lambda page: str(page.relative_to(_ROOT)))
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    targets = _LINK.findall(page.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []
