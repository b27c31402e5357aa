"""A page as Markdown: what is read of it, without what only a browser needs.

Loads the HTML parser, and runs in a process of its own; see `converter`.
"""

import re
import resource
import sys
from typing import Final
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag
from markdownify import MarkdownConverter

_NOISE: Final = (
    "script", "style", "noscript", "template", "svg", "iframe", "canvas", "nav", "form", "button",
    "dialog", "object", "embed",
)  # fmt: skip
_EMPTY_LINES: Final = re.compile(r"\n{3,}")
_SECONDS: Final = 30
_BYTES: Final = 1024**3
_MOST: Final = 2_000_000


def to_markdown(html: str, base: str) -> str:
    """Return a page's title and text, with links that hold anywhere; `base` is its address."""
    soup = BeautifulSoup(html, "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    for tag in soup.find_all([*_NOISE, "head"]):
        tag.decompose()
    _make_absolute(soup, base)
    text = _EMPTY_LINES.sub("\n\n", _converted(soup)).strip()
    return f"# {title}\n\n{text}" if title and title not in text[: len(title) + 4] else text


def _converted(soup: BeautifulSoup) -> str:
    try:
        return MarkdownConverter(heading_style="atx", bullets="-").convert_soup(soup)
    except (RecursionError, ValueError):  # nested too deep, or with numbers that are none
        return soup.get_text("\n", strip=True)


def _make_absolute(soup: BeautifulSoup, base: str) -> None:
    for tag in soup.find_all(["a", "img"]):
        name = "href" if tag.name == "a" else "src"
        written = tag.get(name)
        if isinstance(written, str):
            _rewrite(tag, name, written.strip(), base)


def _rewrite(tag: Tag, name: str, written: str, base: str) -> None:
    """Make one link absolute; those that lead nowhere, or hold their content, lose it."""
    if written.startswith(("javascript:", "data:", "#")):
        del tag[name]
        return
    try:
        tag[name] = urljoin(base, written)
    except ValueError:
        del tag[name]


def main() -> None:
    """Read an address and a page from standard input, and write the Markdown."""
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    base, _, html = sys.stdin.buffer.read().decode("utf-8").partition("\n")
    text = to_markdown(html, base)[:_MOST]
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
