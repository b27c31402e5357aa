"""Real projects run their own test commands inside, without special settings."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.anyio


@pytest.mark.req("SBX-03")
async def test_a_python_project_tests_itself_with_its_virtual_environment(
    open_box: Any, tmp_path: Path
) -> None:
    root = tmp_path / "project"
    root.mkdir()
    making = [sys.executable, "-m", "venv", "--without-pip", str(root / ".venv")]
    await asyncio.to_thread(subprocess.run, making, check=True)
    (root / "sums.py").write_text("def add(a, b):\n    return a + b\n")
    (root / "test_sums.py").write_text(
        "import unittest, sys, sums\n"
        "class Sums(unittest.TestCase):\n"
        "    def test_add(self):\n"
        "        self.assertEqual(sums.add(1, 2), 3)\n"
        f"        self.assertEqual(sys.prefix, {str(root / '.venv')!r})\n"
    )
    async with open_box(root) as box:
        result = await box.run(".venv/bin/python -m unittest -v")
    assert result.exit_code == 0, result.output
    assert b"Ran 1 test" in result.output


@pytest.mark.req("SBX-03")
async def test_a_node_project_tests_itself_with_its_scripts(open_box: Any, tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "package.json").write_text('{"scripts": {"test": "node check.js"}}')
    (root / "check.js").write_text("console.log('checked ' + (1 + 2))")
    async with open_box(root) as box:
        result = await box.run("npm test")
    assert result.exit_code == 0, result.output
    assert b"checked 3" in result.output
