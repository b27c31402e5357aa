"""A web in memory: pages are a dict, and every address asked for is kept."""

from collections.abc import Mapping

from hackamore.core.web import FetchError, Page


class FakeWeb:
    """Pages by their address.

    Attributes:
        asked: The addresses, in order.
    """

    def __init__(self, pages: Mapping[str, Page] | None = None) -> None:
        self.asked: list[str] = []
        self._pages = pages or {}

    async def fetch(self, url: str, *, max_bytes: int = 2 * 1024 * 1024) -> Page:
        """Return a page; see `Web.fetch`."""
        del max_bytes
        self.asked.append(url)
        if url not in self._pages:
            raise FetchError(f"There is no {url}.")
        return self._pages[url]
