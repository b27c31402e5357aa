"""A page as Markdown: what is read of it, without what only a browser needs.

Loads the HTML parser; so it is imported when the first page comes.
"""

import re
from typing import Final
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag
from markdownify import MarkdownConverter

_NOISE: Final = (
    "script", "style", "noscript", "template", "svg", "iframe", "canvas", "nav", "form", "button",
    "dialog", "object", "embed",
)  # fmt: skip
_EMPTY_LINES: Final = re.compile(r"\n{3,}")


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
    except RecursionError:  # a page nested deeper than any reader would go
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
