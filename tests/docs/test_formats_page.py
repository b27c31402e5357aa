"""The page that shows one task in all formats is made by the formats."""

import runpy
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]


@pytest.mark.req("FMT-01", "UX-05")
def test_the_page_is_what_the_formats_write() -> None:
    page = runpy.run_path(str(_ROOT / "scripts" / "formats_page.py"))["page"]
    shown = (_ROOT / "docs" / "explanation" / "tool-formats.md").read_text(encoding="utf-8")
    assert shown == page(), "run .venv/bin/python scripts/formats_page.py"
