"""The broker: looks a host up once, checks what it finds, and connects to what it checked."""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias
from urllib.parse import urljoin

from hackamore.core.codes import Code
from hackamore.core.web import FetchError, Page
from hackamore.web.exchange import Answer, ask, close, connect
from hackamore.web.rules import HostRules
from hackamore.web.target import Target, target_of
from hackamore.web.text import is_html, media_type_of, text_of

Resolve: TypeAlias = Callable[[str, int], Awaitable[list[str]]]
"""From a host's name and a port to its addresses; raises OSError when there are none."""

ToMarkdown: TypeAlias = Callable[[str, str], Awaitable[str]]
"""From HTML and its address to Markdown."""

_REDIRECTS: Final = 5
_MOVED: Final = (301, 302, 303, 307, 308)


async def look_up(host: str, port: int) -> list[str]:
    """Return the addresses that the system's resolver knows of a host."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Broker:
    """Fetches pages for a model, within a person's rules; see `Web`."""

    def __init__(  # the seams that tests and hosts need
        self,
        rules: HostRules,
        to_markdown: ToMarkdown,
        *,
        resolve: Resolve = look_up,
        tls: ssl.SSLContext | None = None,
        limits: tuple[float, float] = (10.0, 30.0),
    ) -> None:
        """Take the rules; `limits` are seconds to connect and for the whole."""
        self._rules = rules
        self._to_markdown = to_markdown
        self._resolve = resolve
        self._tls = tls
        self._connecting, self._whole = limits

    async def fetch(self, url: str, *, max_bytes: int = 2 * 1024 * 1024) -> Page:
        """Read one page; see `Web.fetch`."""
        try:
            async with asyncio.timeout(self._whole):
                return await self._follow(target_of(url), max_bytes)
        except TimeoutError as error:
            raise FetchError(
                f"The page did not come within {self._whole:g} s.", code=Code.TIMEOUT
            ) from error
        except OSError as error:
            raise FetchError(f"The connection failed: {error}.") from error

    async def _follow(self, target: Target, max_bytes: int) -> Page:
        for _ in range(_REDIRECTS + 1):
            answer = await self._get(target, max_bytes)
            moved = _moved_to(answer, target)
            if moved is None:
                return await self._page(target, answer, max_bytes)
            self._rules.check_host(moved.host)
            if not _same_site(target, moved):
                return Page(target.url, answer.status, "", None, 0, moved_to=moved.url)
            target = moved
        raise FetchError(f"The server redirected more than {_REDIRECTS} times.")

    async def _get(self, target: Target, max_bytes: int) -> Answer:
        reader, writer = await self._connected(target)
        try:
            return await ask(reader, writer, target, max_bytes)
        finally:
            await close(writer)

    async def _connected(self, target: Target) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address that answers; one that is refused refuses them all."""
        addresses = await self._checked(target)
        tls = self._tls or ssl.create_default_context()
        failed: OSError | None = None
        try:
            async with asyncio.timeout(self._connecting):
                for address in addresses:
                    try:
                        return await connect(target, address, tls)
                    except OSError as error:
                        failed = error
        except TimeoutError as error:
            raise FetchError(
                f"{target.host} did not answer within {self._connecting:g} s.", code=Code.TIMEOUT
            ) from error
        raise FetchError(f"{target.host} cannot be reached: {failed}.") from failed

    async def _checked(self, target: Target) -> list[str]:
        self._rules.check_host(target.host)
        if target.address is not None:
            addresses = [target.host]
        else:
            try:
                addresses = await self._resolve(target.host, target.port)
            except (OSError, UnicodeError) as error:
                raise FetchError(f"There is no host {target.host}: {error}.") from error
        for address in addresses:
            self._rules.check_address(target.host, ipaddress.ip_address(address))
        return addresses

    async def _page(self, target: Target, answer: Answer, max_bytes: int) -> Page:
        media_type, charset = media_type_of(answer.headers.get("content-type", ""))
        body = answer.body[:max_bytes]
        text = text_of(body, media_type, charset)
        if text is not None and is_html(media_type):
            text = await self._to_markdown(text, target.url)
        truncated = answer.incomplete or len(answer.body) > max_bytes
        return Page(target.url, answer.status, media_type, text, len(body), truncated)


def _moved_to(answer: Answer, target: Target) -> Target | None:
    place = answer.headers.get("location", "")
    if answer.status not in _MOVED or not place:
        return None
    try:
        return target_of(urljoin(target.url, place))
    except ValueError as error:
        raise FetchError(f"The server redirects to no address: {place!r}.") from error


def _same_site(one: Target, other: Target) -> bool:
    """Return whether a yes to `one` holds for `other`: the same host, and not less safe."""
    if one.host != other.host:
        return False
    upgraded = (one.scheme, one.port, other.scheme, other.port) == ("http", 80, "https", 443)
    return upgraded or (one.scheme, one.port) == (other.scheme, other.port)
