"""Where a URL leads: one spelling for each host, and a refusal for what could mean two things."""

import ipaddress
import re
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import quote, urlsplit

from hackamore.core.codes import Code
from hackamore.core.web import FetchError

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_NUMBER: Final = re.compile(r"0x[0-9a-f]*|[0-9]+")
_AMBIGUOUS: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\\]")
_KEPT: Final = "!$&'()*+,;=:@/?%-._~[]|"
_MAX_LENGTH: Final = 8192
_FOUR: Final = 4


@dataclass(frozen=True, slots=True)
class Target:
    """One address of the web.

    Attributes:
        scheme: ``http`` or ``https``.
        host: In lower case, ASCII; addresses in their usual form, without brackets.
        port: The number that is connected to.
        path: Path and query as they are sent.
    """

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Host and, where it is not the usual one, port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole, in one spelling."""
        return f"{self.scheme}://{self.authority}{self.path}"

    @property
    def address(self) -> IPAddress | None:
        """The host as an address, when it is one and not a name."""
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None


def target_of(url: str) -> Target:
    """Return where `url` leads.

    Raises:
        FetchError: It is no http(s) URL, names a user, or can be read in two ways.
    """
    stripped = url.strip()
    if len(stripped) > _MAX_LENGTH:
        raise _wrong("it is too long")
    if _AMBIGUOUS.search(stripped):
        raise _wrong("it holds a blank, a control character or a backslash")
    try:
        parts = urlsplit(stripped)
        port = parts.port
    except ValueError as error:
        raise _wrong(str(error)) from error
    if parts.scheme not in _PORTS:
        raise _wrong("only http:// and https:// can be fetched")
    if "@" in parts.netloc:
        raise _wrong("it names a user; credentials are never sent")
    if port == 0:
        raise _wrong("there is no port 0")
    path = quote(parts.path or "/", safe=_KEPT)
    query = f"?{quote(parts.query, safe=_KEPT)}" if parts.query else ""
    host = host_of(parts.hostname or "", bracketed="[" in parts.netloc)
    return Target(parts.scheme, host, port or _PORTS[parts.scheme], path + query)


def host_of(written: str, *, bracketed: bool = False) -> str:
    """Return a host in its one spelling: ASCII, lower case, addresses in their usual form.

    Raises:
        FetchError: It is no host.
    """
    if "%" in written:
        raise _wrong("its host holds %")
    if bracketed or ":" in written:
        try:
            return str(ipaddress.IPv6Address(written))
        except ValueError as error:
            raise _wrong(f"{written} is no IPv6 address") from error
    name = _ascii(written).lower().removesuffix(".")
    if _NUMBER.fullmatch(name.rpartition(".")[2]):
        return str(_number_address(name))
    if not _NAME.fullmatch(name):
        raise _wrong("it names no host" if not name else f"{name!r} is no host name")
    return name


def _ascii(name: str) -> str:
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise _wrong("its host name cannot be written in ASCII") from error


def _number_address(name: str) -> ipaddress.IPv4Address:
    """Read an IPv4 address as browsers do: also octal, hexadecimal, and with fewer parts."""
    parts = name.split(".")
    if len(parts) > _FOUR or not all(map(_NUMBER.fullmatch, parts)):
        raise _wrong(f"{name} is no IPv4 address")
    try:
        *heads, last = map(_number, parts)
    except ValueError as error:
        raise _wrong(f"{name} is no IPv4 address") from error
    room = 256 ** (_FOUR - len(heads))
    if any(head > 255 for head in heads) or last >= room:  # noqa: PLR2004  # a byte
        raise _wrong(f"{name} is no IPv4 address")
    high = sum(head << (8 * (3 - index)) for index, head in enumerate(heads))
    return ipaddress.IPv4Address(high + last)


def _number(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8 if len(part) > 1 and part.startswith("0") else 10)


def _wrong(why: str) -> FetchError:
    return FetchError(f"This address cannot be fetched: {why}.", code=Code.INVALID_REQUEST)
