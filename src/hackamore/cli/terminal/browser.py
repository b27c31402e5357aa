"""The person's web browser."""

import webbrowser
from pathlib import Path
from typing import Final

_WITHIN_THE_TERMINAL: Final = frozenset({"www-browser", "links", "elinks", "lynx", "w3m"})


def open_page(url: str) -> bool:
    """Open a page; tell whether that could be done without taking over the terminal."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    name = Path(getattr(browser, "name", "")).name
    return name not in _WITHIN_THE_TERMINAL and browser.open(url)
